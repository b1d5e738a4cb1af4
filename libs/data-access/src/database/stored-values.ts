const isObject = (document: unknown): document is Record<string, unknown> =>
  typeof document === 'object' && document !== null && !Array.isArray(document);

/** A document of a `jsonb` column that holds objects only. @throws TypeError when it is something else */
export function asObject(document: unknown): Record<string, unknown> {
  if (!isObject(document)) throw new TypeError('The stored document is not an object');
  return document;
}

/** A value of a text column with a CHECK on a closed list. @throws TypeError when it is not among `values` */
export function oneOf<T extends string>(values: readonly T[], text: string): T {
  const found = values.find((value) => value === text);
  if (found === undefined) throw new TypeError(`The stored value "${text}" is none of ${values.join(', ')}`);
  return found;
}
