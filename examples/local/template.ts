/** A template of CloudFormation, as far as it is read here. */
export interface Template {
  readonly Resources?: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<Record<string, Output>>;
}

interface Resource {
  readonly Type: string;
  readonly Properties?: unknown;
}

interface Output {
  readonly Value: unknown;
  readonly Export?: { readonly Name: unknown };
}

/** The resources of a type, with their logical ids. */
export function resourcesOf<Properties>(
  { Resources = {} }: Template,
  type: string,
): [id: string, properties: Properties][] {
  return Object.entries(Resources)
    .filter(([, { Type }]) => Type === type)
    .map(([id, { Properties }]) => [id, Properties as Properties]);
}
