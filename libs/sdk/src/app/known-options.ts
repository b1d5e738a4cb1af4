/** @throws TypeError naming the field */
export function requireWhole(value: unknown, field: string, from: number): void {
  if (!Number.isSafeInteger(value) || (value as number) < from) {
    throw new TypeError(`${field}: must be an integer from ${from} on`);
  }
}

/** @throws TypeError naming the field, for anything but a number from 0 on, which may be infinite */
export function requireAmount(value: unknown, field: string): void {
  if (typeof value !== 'number' || !(value >= 0)) throw new TypeError(`${field}: must be a number from 0 on`);
}

/** For callers without types. @throws TypeError naming a member that does not exist */
export function requireKnown(options: object, names: object, prefix = ''): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(names, name));
  if (unknown !== undefined) throw new TypeError(`${prefix}${unknown}: no such option`);
}
