import { isDeepStrictEqual } from 'node:util';
import type { List } from '@spooled/sdk';
import { Failure } from '../errors.js';

/** How much of a list is wanted. */
export interface Wanted {
  limit: number;
  /** Everything, however long it takes. */
  all?: boolean;
  /** Called when a search ended before it was complete; without it there is no bound. */
  stoppedEarly?: () => void;
}

type Read<T, Place> = (page: { limit: number } & Place) => Promise<List<T>>;
export type CursorRead<T> = Read<T, { after?: string }>;

const pageSize = 100;
/** A search may return short pages, each after a bounded read of the server. So many of them are enough. */
const mostShortPages = 25;

/** The pages of a list that continues by cursor. */
export async function* pagesByCursor<T>(read: CursorRead<T>, wanted: Wanted): AsyncGenerator<T[]> {
  let after: string | undefined;
  let left = wanted.all ? Infinity : wanted.limit;
  let shortPages = 0;
  while (left > 0) {
    if (!wanted.all && wanted.stoppedEarly && shortPages === mostShortPages) return wanted.stoppedEarly();
    const limit = Math.min(left, pageSize);
    const page = await read({ limit, after });
    if (page.length < limit) shortPages++;
    yield page.slice(0, left);
    left -= page.length;
    if (!page.nextCursor) return;
    after = page.nextCursor;
  }
}

/** The pages of a list that continues by offset. */
export async function* pagesByOffset<T>(read: Read<T, { offset: number }>, wanted: Wanted): AsyncGenerator<T[]> {
  let left = wanted.all ? Infinity : wanted.limit;
  let before: T[] = [];
  for (let offset = 0; left > 0;) {
    const limit = Math.min(left, pageSize);
    const page = await read({ limit, offset });
    // A cache that ignores the query repeats a page without end.
    if (page.length > 0 && isDeepStrictEqual([...page], before))
      throw new Failure('The server answered with the page before: a proxy between may keep answers');
    before = [...page];
    yield page.slice(0, left);
    left -= page.length;
    offset += page.length;
    if (page.length === 0 || page.hasMore === false || (page.hasMore === null && page.length < limit)) return;
  }
}
