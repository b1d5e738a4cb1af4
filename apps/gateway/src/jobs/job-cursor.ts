import type { JobCursor } from '@spooled/data-access';
import { invalidField, isUuid } from '@spooled/domain';

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/;

/** An opaque cursor: the position of the last job of a page. */
export const encodeCursor = ({ created_at: createdAt, id }: { created_at: string; id: string }): string =>
  Buffer.from(`${createdAt} ${id}`).toString('base64url');

/** @returns null for the first page. @throws SpooledError 400 for an invalid cursor */
export function decodeCursor(cursor: string): JobCursor | null {
  if (cursor === '') return null;
  const [createdAt = '', id = ''] = Buffer.from(cursor, 'base64url').toString('latin1').split(' ');
  if (!timePattern.test(createdAt) || Number.isNaN(Date.parse(createdAt)) || !isUuid(id)) {
    throw invalidField('cursor', 'is not a valid cursor');
  }
  return { createdAt, id };
}
