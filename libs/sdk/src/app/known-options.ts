/** For callers without types. @throws TypeError naming a member that does not exist */
export function requireKnown(options: object, names: object, prefix = ''): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(names, name));
  if (unknown !== undefined) throw new TypeError(`${prefix}${unknown}: no such option`);
}
