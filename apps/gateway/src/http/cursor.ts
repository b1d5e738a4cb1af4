import { invalidField, isUuid } from '@spooled/domain';

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/;

/** An opaque cursor: the sort keys of the last row of a page, none of which contains a space except the last. */
export const encodeCursor = (keys: string[]): string => Buffer.from(keys.join(' ')).toString('base64url');

const invalidCursor = () => invalidField('cursor', 'is not a valid cursor');

/** A position in a list that is sorted by a time, then by id. */
export interface TimeAndId {
  /** RFC 3339 in UTC. */
  createdAt: string;
  id: string;
}

/**
 * The position of a cursor made of a time and an id.
 * @param isId whether a text may be the id of a row; UUIDs by default
 * @returns null for the first page, or without a cursor. @throws SpooledError 400 for an invalid cursor
 */
export function timeAndId(cursor: string | undefined, isId: (text: string) => boolean = isUuid): TimeAndId | null {
  if (!cursor) return null;
  const [createdAt = '', id = ''] = Buffer.from(cursor, 'base64url').toString('latin1').split(' ');
  if (!timePattern.test(createdAt) || Number.isNaN(Date.parse(createdAt)) || !isId(id)) throw invalidCursor();
  return { createdAt, id };
}
