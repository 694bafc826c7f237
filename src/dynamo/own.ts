/** What an object has itself under a name: an attribute may be called as something that every object inherits, `constructor` for one. */
export function own<V>(object: Readonly<Record<string, V>> | undefined, name: string): V | undefined {
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}
