import { types } from 'node:util';
import { InvalidInputError } from '../fence/errors.ts';
import { isOperator } from './operators.ts';

type Refusal = readonly [problem: string, advice: string];

/** The error for a value that has no form in DynamoDB, or would come back as something else. */
export function unsupported(value: unknown, path: string): InvalidInputError {
  const [problem, advice] =
    typeof value === 'object' && value !== null ? ofObject(value) : ofPrimitive(value);
  return new InvalidInputError(path, problem, advice);
}

function ofPrimitive(value: unknown): Refusal {
  if (value === undefined) {
    return [
      'undefined cannot be stored, and is not dropped silently',
      'Leave it out; remove() drops an attribute, notExists() asks for its absence.',
    ];
  }
  return [`a ${typeof value} cannot be stored`, 'Store plain data.'];
}

function ofObject(value: object): Refusal {
  if (isOperator(value)) {
    return [
      'an operator stands for a whole attribute, so it cannot lie inside a value or an item',
      'Use it at the top of changes or conditions; raw() reaches nested paths.',
    ];
  }
  if (types.isDate(value)) {
    return ['a Date has no type in DynamoDB', 'Store date.toISOString() or date.getTime().'];
  }
  if (types.isMap(value)) return ['a Map has no type in DynamoDB', 'Store Object.fromEntries(map).'];
  if (types.isTypedArray(value) || types.isAnyArrayBuffer(value) || types.isDataView(value)) {
    return [
      `binary data is stored from a Uint8Array, and this is a ${nameOf(value)}`,
      'Wrap its bytes in one.',
    ];
  }
  if (types.isBoxedPrimitive(value))
    return [`a boxed ${nameOf(value)} is no plain value`, 'Store value.valueOf().'];
  if (types.isPromise(value)) return ['a Promise cannot be stored', 'Await it first.'];
  if (types.isWeakMap(value) || types.isWeakSet(value)) {
    return [`the content of a ${nameOf(value)} cannot be listed`, 'Store plain data.'];
  }
  return [
    `an instance of ${nameOf(value)} would come back as a plain object`,
    'Store a plain object, as { ...value }, or a string.',
  ];
}

function nameOf(value: object): string {
  const { constructor: made } = value;
  return typeof made === 'function' && made.name !== '' ? made.name : 'a class';
}
