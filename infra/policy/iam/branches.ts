/** A value as it may be once it is deployed. It is not certain where that depends on a condition of the template. */
export interface Branch {
  readonly value: unknown;
  readonly certain: boolean;
}

/** What may become of a value: itself, or either side of an `Fn::If`, of which `AWS::NoValue` and `null` are nothing at all. */
export function branchesOf(value: unknown, certain = true): Branch[] {
  const { 'Fn::If': choice, Ref } = (value ?? {}) as { readonly 'Fn::If'?: unknown; readonly Ref?: unknown };
  if (Array.isArray(choice)) return choice.slice(1).flatMap((side) => branchesOf(side, false));
  return value === undefined || value === null || Ref === 'AWS::NoValue' ? [] : [{ value, certain }];
}

/** All elements that a list may have, whether a condition chooses among lists or among elements. What is no list is its only element. */
export function elementsOf(list: unknown, certain = true): Branch[] {
  return branchesOf(list, certain).flatMap((branch) =>
    Array.isArray(branch.value)
      ? branch.value.flatMap((element) => elementsOf(element, branch.certain))
      : [branch],
  );
}
