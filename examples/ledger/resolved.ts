import { type CallOptions, isOutcomeUnknown } from 'dynamodb-fenced';

const MOST_QUESTIONS = 3;

/**
 * What a write answered, asked for again where the answer did not come. Nothing else tells whether it was applied:
 * not a read, because a copy may still be under way.
 *
 * @throws OutcomeUnknownError where nobody could be reached for so long.
 */
export async function resolved<R>(write: Promise<R>, { signal }: CallOptions = {}): Promise<R> {
  let answer = write;
  for (let questions = 0; ; questions++) {
    try {
      return await answer;
    } catch (error) {
      if (!isOutcomeUnknown<R>(error) || questions === MOST_QUESTIONS) throw error;
      answer = error.resolve(signal === undefined ? {} : { signal });
    }
  }
}
