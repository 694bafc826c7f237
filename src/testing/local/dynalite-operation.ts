import type { EngineContext, Operation } from './context.ts';
import type { Action, Input, InputRules, Output, Store } from './dynalite.ts';

/** An operation exactly as dynalite has it. */
export function dynaliteOperation(name: string): Operation {
  return (context, raw) => {
    const input = checkInput(context, context.dynalite.rules(name), raw);
    return run(context.dynalite.action(name), context.store, input);
  };
}

/**
 * Checks an input as dynalite's server would: unknown members fall away, and expressions are parsed into
 * hidden members (`_condition`, `_updates`, …) that the actions read.
 */
export function checkInput({ dynalite, store }: EngineContext, rules: InputRules, raw: Input): Input {
  const input = dynalite.validations.checkTypes(raw, rules.types);
  dynalite.validations.checkValidations(input, rules.types, rules.custom, store);
  return input;
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
