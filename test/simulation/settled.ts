import { isOutcomeUnknown } from '../../src/fence/errors.ts';

/** What a caller ends up with: a result, or an error as a value. */
export async function settled(call: Promise<unknown>, resolves: boolean): Promise<unknown> {
  try {
    return await call.catch((error: unknown) => {
      if (resolves && isOutcomeUnknown(error)) return error.resolve();
      throw error;
    });
  } catch (error) {
    return error;
  }
}
