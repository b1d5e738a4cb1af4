/** `expect.any(String)` and the like, of Jest and Vitest. */
interface AsymmetricMatcher {
  asymmetricMatch(value: unknown): boolean;
  toAsymmetricMatcher?(): string;
}

/** A value that may leave members out, also those of arrays' elements, or have `expect.any(String)` and the like in their place. */
export type Subset<T> =
  | AsymmetricMatcher
  | (T extends { toJSON(): unknown }
      ? T
      : T extends readonly (infer Element)[]
        ? readonly Subset<Element>[]
        : T extends object
          ? { [Name in keyof T]?: Subset<T[Name]> }
          : T);

const longestText = 300;

/**
 * How a JSON document differs from what is expected of it: members that are not expected do not count.
 * @param path names the document, for the text
 * @returns the first difference, null if there is none
 */
export function difference(expected: unknown, actual: unknown, path: string): string | null {
  if (isAsymmetric(expected)) return expected.asymmetricMatch(actual) ? null : differs(path, expected, actual);
  const wanted = asJson(expected);
  if (Array.isArray(wanted)) return differenceOfLists(wanted, actual, path);
  if (isObject(wanted)) return differenceOfObjects(wanted, actual, path);
  return isSame(wanted, actual) ? null : differs(path, wanted, actual);
}

/** A value as JSON, cut when it is long. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value, (_, member: unknown) => {
    if (isAsymmetric(member)) return member.toAsymmetricMatcher?.() ?? String(member);
    return typeof member === 'bigint' ? String(member) : member;
  }) as string | undefined;
  if (text === undefined) return 'missing';
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
}

function differenceOfLists(expected: unknown[], actual: unknown, path: string): string | null {
  if (!Array.isArray(actual)) return differs(path, expected, actual);
  if (actual.length !== expected.length) {
    return `${path} has ${actual.length} elements, not ${expected.length}: ${shown(actual)}`;
  }
  return first(expected.map((element, i) => () => difference(element, actual[i], `${path}[${i}]`)));
}

function differenceOfObjects(expected: object, actual: unknown, path: string): string | null {
  if (!isObject(actual) || Array.isArray(actual)) return differs(path, expected, actual);
  const members = new Map(Object.entries(actual));
  return first(
    Object.entries(expected).map(
      ([name, member]) =>
        () =>
          difference(member, members.get(name), `${path}.${name}`),
    ),
  );
}

function first(checks: (() => string | null)[]): string | null {
  for (const check of checks) {
    const found = check();
    if (found !== null) return found;
  }
  return null;
}

const differs = (path: string, expected: unknown, actual: unknown): string =>
  `${path} is ${shown(actual)}, not ${shown(expected)}`;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isAsymmetric = (value: unknown): value is AsymmetricMatcher =>
  isObject(value) && typeof (value as { asymmetricMatch?: unknown }).asymmetricMatch === 'function';

/** Dates are texts in a document. */
const asJson = (value: unknown): unknown =>
  isObject(value) && 'toJSON' in value && typeof value.toJSON === 'function' ? (value.toJSON() as unknown) : value;

/** Integers that a double cannot hold are read as bigint. */
const isSame = (expected: unknown, actual: unknown): boolean =>
  typeof expected === 'bigint' || typeof actual === 'bigint'
    ? isNumber(expected) && isNumber(actual) && BigInt(expected) === BigInt(actual)
    : expected === actual;

const isNumber = (value: unknown): value is number | bigint =>
  typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));
