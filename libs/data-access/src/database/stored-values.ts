import { isObject } from '@spooled/domain';

/** Narrows the value of a `jsonb` column that holds only objects. @throws TypeError when it is not an object */
export function asObject(document: unknown): Record<string, unknown> {
  if (!isObject(document)) throw new TypeError('The stored JSON value is not an object');
  return document;
}

/** Narrows the value of a text column whose CHECK allows only `values`. @throws TypeError when it is not one of them */
export function oneOf<T extends string>(values: readonly T[], text: string): T {
  const found = values.find((value) => value === text);
  if (found === undefined) throw new TypeError(`The stored value "${text}" is not one of ${values.join(', ')}`);
  return found;
}
