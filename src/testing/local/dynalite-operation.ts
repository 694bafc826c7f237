import type { EngineContext, Operation } from './context.ts';
import type { Action, Input, InputRules, Output, Store } from './dynalite.ts';
import { checkExpressions } from './expression-rules.ts';

/** An operation exactly as dynalite has it. */
export function dynaliteOperation(name: string): Operation {
  return (context, raw) => {
    const rules = context.dynalite.rules(name);
    const input = checkShape(context, rules, raw);
    checkMeaning(context, rules, input);
    return run(context.dynalite.action(name), context.store, input);
  };
}

/** Checks types and limits, as dynalite's server would. Members that nobody knows fall away. */
export function checkShape({ dynalite, store }: EngineContext, { types }: InputRules, raw: Input): Input {
  const input = dynalite.validations.checkTypes(raw, types);
  dynalite.validations.checkValidations(input, types, undefined, store);
  return input;
}

/**
 * Checks what the members say together, and parses expressions into hidden members (`_condition`,
 * `_updates`, …) that the actions read.
 */
export function checkMeaning({ dynalite, store }: EngineContext, { custom }: InputRules, input: Input): void {
  checkExpressions(input);
  dynalite.validations.checkValidations(input, {}, custom, store);
}

/** Runs one of dynalite's actions on a store, or on a view of one. */
export function run(action: Action, store: Store, input: Input): Promise<Output> {
  return new Promise((resolve, reject) => {
    action(store, input, (error, output) => {
      if (error) reject(error);
      else resolve(output ?? {});
    });
  });
}
