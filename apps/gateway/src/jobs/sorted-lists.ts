import { decodeCursor } from '@spooled/service';
import type { JobOrder, SortedPosition } from '@spooled/data-access';
import { isUuid } from '@spooled/domain';

interface Order {
  orderBy: JobOrder;
  direction: 'asc' | 'desc';
}

const isKey = (text: string): boolean => /^(-?\d{1,17}|Infinity)$/.test(text);

/** The sort keys of a job in a list that is not sorted by creation. They name its order, because keys of different orders look alike. */
export const keysOf = ({ orderBy, direction }: Order, key: number, id: string): string[] => [
  orderBy,
  direction,
  String(key),
  id,
];

/** The position of a cursor of such a list. @throws SpooledError 400 for one that is invalid or of another order */
export function sortedPosition(
  { cursor, after }: { cursor?: string | undefined; after?: string | undefined },
  { orderBy, direction }: Order,
): SortedPosition | null {
  const checks = [(text: string) => text === orderBy, (text: string) => text === direction, isKey, isUuid];
  const keys = decodeCursor(cursor ?? after, checks, cursor === undefined ? 'after' : 'cursor');
  return keys && { key: Number(keys[2]), id: keys[3]! };
}
