import type { ListPosition } from '@spooled/data-access';
import { invalidField, isUuid } from '@spooled/domain';

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/;
const isTime = (text: string): boolean => timePattern.test(text) && !Number.isNaN(Date.parse(text));

/** An opaque cursor: the sort keys of the last row of a page. */
export const encodeCursor = (keys: string[]): string => Buffer.from(JSON.stringify(keys)).toString('base64url');

/**
 * The sort keys in a cursor; `checks[i]` says whether a text may be key i. An error names the parameter.
 * @returns null for the first page, or without a cursor. @throws SpooledError 400 for an invalid cursor
 */
export function decodeCursor(
  cursor: string | undefined,
  checks: ((text: string) => boolean)[],
  parameter = 'cursor',
): string[] | null {
  if (!cursor) return null;
  const keys = parsed(Buffer.from(cursor, 'base64url').toString());
  const isValid =
    Array.isArray(keys) &&
    keys.length === checks.length &&
    keys.every((key, i) => typeof key === 'string' && checks[i]!(key));
  if (!isValid) throw invalidField(parameter, 'is not a valid cursor of this list and its order');
  return keys as string[];
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return null;
  }
}

/** The position of a cursor made of a time and a UUID. @throws SpooledError 400 for an invalid cursor */
export function timeAndId(cursor: string | undefined, parameter?: string): ListPosition | null {
  const keys = decodeCursor(cursor, [isTime, isUuid], parameter);
  return keys && { at: keys[0]!, id: keys[1]! };
}

/** The position of a cursor made of a number, a time and a UUID. @throws SpooledError 400 for an invalid cursor */
export function countTimeAndId(cursor: string | undefined): (ListPosition & { count: number }) | null {
  const keys = decodeCursor(cursor, [(text) => /^\d{1,15}$/.test(text), isTime, isUuid]);
  return keys && { count: Number(keys[0]), at: keys[1]!, id: keys[2]! };
}

/** The position of a cursor made of one UUID. @throws SpooledError 400 for an invalid cursor */
export const idOnly = (cursor: string | undefined, parameter?: string): string | null =>
  decodeCursor(cursor, [isUuid], parameter)?.[0] ?? null;

/** The position of a cursor made of one name. @throws SpooledError 400 for an invalid cursor */
export const nameOnly = (cursor: string | undefined): string | null => decodeCursor(cursor, [isStorable])?.[0] ?? null;

/** Either a time or a name, then a UUID. @throws SpooledError 400 for an invalid cursor */
export function sortKeyAndId(cursor: string | undefined, byTime: boolean): { key: string; id: string } | null {
  const keys = decodeCursor(cursor, [byTime ? isTime : isStorable, isUuid]);
  return keys && { key: keys[0]!, id: keys[1]! };
}

/** Whether PostgreSQL can hold the text. */
const isStorable = (text: string): boolean => !/[\0\p{Surrogate}]/u.test(text);
