/** How integers are read that a double cannot hold. `number` rounds them. */
export type LargeIntegers = 'bigint' | 'number';

/** Since Node.js 21; older releases round. */
interface ReviverContext {
  source?: string;
}

/** Since Node.js 21. */
const { rawJSON } = JSON as unknown as { rawJSON?: (text: string) => unknown };

/** Sixteen digits are the first that a double may round. */
const mayBeRounded = /\d{16}/;

/**
 * Parses JSON. With `bigint`, integers beyond ±(2^53−1) become BigInts with the digits that were sent (Node.js 21 or newer).
 * @throws SyntaxError
 */
export function parseJson(text: string, largeIntegers: LargeIntegers): unknown {
  if (largeIntegers === 'number' || !mayBeRounded.test(text)) return JSON.parse(text);
  return (JSON.parse as (text: string, revive: typeof keepDigits) => unknown)(text, keepDigits);
}

function keepDigits(_name: string, value: unknown, context?: ReviverContext): unknown {
  const isRounded = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isRounded && /^-?\d+$/.test(context?.source ?? '') ? BigInt(context!.source!) : value;
}

/** As `JSON.stringify`, and BigInts become numbers with all their digits. @throws TypeError for BigInts before Node.js 21 */
export const writeJson = (value: unknown, space?: number): string => JSON.stringify(value, withDigits, space);

const withDigits = (_name: string, member: unknown): unknown =>
  typeof member === 'bigint' && rawJSON ? rawJSON(String(member)) : member;
