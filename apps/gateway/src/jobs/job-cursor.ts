import type { JobPosition } from '@spooled/data-access';
import { invalidField, isUuid } from '@spooled/domain';

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/;

/** Where the next page begins, as callers hand it back; they need not understand it. */
export const encodeCursor = ({ created_at: createdAt, id }: { created_at: string; id: string }): string =>
  Buffer.from(`${createdAt} ${id}`).toString('base64url');

/** @throws SpooledError 400 for a text that is no cursor of ours */
export function decodeCursor(cursor: string): JobPosition | null {
  if (cursor === '') return null;
  const [createdAt = '', id = ''] = Buffer.from(cursor, 'base64url').toString('latin1').split(' ');
  if (!timePattern.test(createdAt) || Number.isNaN(Date.parse(createdAt)) || !isUuid(id)) {
    throw invalidField('cursor', 'is not a valid cursor');
  }
  return { createdAt, id };
}
