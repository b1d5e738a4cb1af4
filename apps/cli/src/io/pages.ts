import type { List } from '@spooled/sdk';

/** How much of a list is wanted. */
export interface Wanted {
  limit: number;
  /** Everything, however long it takes. */
  all?: boolean;
  /** Called when the search ended before it was complete. */
  stoppedEarly?: (reads: number) => void;
}

type Read<T, Place> = (page: { limit: number } & Place) => Promise<List<T>>;

const pageSize = 100;
/** A search may return short pages; each read is bounded by the server. */
const mostReads = 25;

/** The pages of a list that goes on by cursor. */
export async function* pagesByCursor<T>(read: Read<T, { after?: string }>, wanted: Wanted): AsyncGenerator<T[]> {
  let after: string | undefined;
  let left = wanted.all ? Infinity : wanted.limit;
  for (let reads = 0; left > 0; reads++) {
    if (!wanted.all && reads === mostReads) return wanted.stoppedEarly?.(reads);
    const page = await read({ limit: Math.min(left, pageSize), after });
    yield page.slice(0, left);
    left -= page.length;
    if (!page.nextCursor) return;
    after = page.nextCursor;
  }
}

/** The pages of a list that goes on by offset. */
export async function* pagesByOffset<T>(read: Read<T, { offset: number }>, wanted: Wanted): AsyncGenerator<T[]> {
  let left = wanted.all ? Infinity : wanted.limit;
  for (let offset = 0; left > 0;) {
    const limit = Math.min(left, pageSize);
    const page = await read({ limit, offset });
    yield page.slice(0, left);
    left -= page.length;
    offset += page.length;
    if (page.length === 0 || page.hasMore === false || (page.hasMore === null && page.length < limit)) return;
  }
}
