/**
 * Whether an object is nothing but its own properties: its prototype is null, or the `Object.prototype` of
 * this or another realm (as objects have it that come out of `node:vm` and of test runners built on it).
 */
export function isPlainObject(value: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return true;
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf');
}
