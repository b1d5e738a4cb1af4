import type { List } from '../routes.js';

/** Rows as a list. Where it ends is not enumerable, so that a list is compared and serialized as an array. */
export const listOf = <T>(rows: T[], { hasMore, nextCursor }: Pick<List<T>, 'hasMore' | 'nextCursor'>): List<T> =>
  Object.defineProperties(rows, { hasMore: { value: hasMore }, nextCursor: { value: nextCursor } }) as List<T>;
