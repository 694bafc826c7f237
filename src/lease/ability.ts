import { InvalidInputError } from '../fence/errors.ts';
import type { CanCheck, CanInspect, CanRaise, CanTakeOver } from './token-source.ts';

type Ability = keyof (CanCheck & CanInspect & CanRaise & CanTakeOver);

/** For programs without types, which no compiler tells that the source of their manager lacks something. */
export function checkAbility(source: object, ability: Ability): void {
  if (typeof (source as Partial<Record<Ability, unknown>>)[ability] === 'function') return;
  const why =
    ability === 'check'
      ? 'A lease can be checked where it is a row of a DynamoDB table that takes part in transactions: with dynamoTokenSource, without transactions: false.'
      : `Use a source that has it, or give yours a method ${ability}.`;
  throw new InvalidInputError('source', `it has no ${ability}()`, why);
}
