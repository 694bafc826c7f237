/** What can be told before a deployment: yes, no, or (undefined) not at all. The logic of Kleene, with three values. */
export type Truth = boolean | undefined;

/** Whether all of them are true. One that is false decides; otherwise one that cannot be told leaves it open. */
export function every<T>(values: readonly T[], test: (value: T) => Truth): Truth {
  const truths = values.map(test);
  if (truths.includes(false)) return false;
  return truths.includes(undefined) ? undefined : true;
}

/** Whether any of them is true. */
export function some<T>(values: readonly T[], test: (value: T) => Truth): Truth {
  return not(every(values, (value) => not(test(value))));
}

export function and(...truths: readonly Truth[]): Truth {
  return every(truths, (truth) => truth);
}

export function or(...truths: readonly Truth[]): Truth {
  return some(truths, (truth) => truth);
}

export function not(truth: Truth): Truth {
  return truth === undefined ? undefined : !truth;
}
