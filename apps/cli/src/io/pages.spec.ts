import type { List } from '@spooled/sdk';
import { pagesByCursor, pagesByOffset } from './pages.js';

const page = (count: number, nextCursor: string | null): List<number> =>
  Object.assign(
    Array.from({ length: count }, (_, n) => n),
    { hasMore: nextCursor !== null, nextCursor },
  );

describe('BX-17 a list that goes on by cursor', () => {
  const readAll = async (perPage: number, wanted: { limit: number; all?: boolean }) => {
    let stopped = 0;
    let rows = 0;
    const read = ({ limit, after = '0' }: { limit: number; after?: string }) =>
      Promise.resolve(page(Math.min(perPage, limit), Number(after) < 99 ? String(Number(after) + 1) : null));
    const pages = pagesByCursor(read, { ...wanted, stoppedEarly: () => void stopped++ });
    for await (const each of pages) rows += each.length;
    return { rows, stopped };
  };

  it('has as many rows as are wanted', async () => {
    expect(await readAll(100, { limit: 5_050 })).toEqual({ rows: 5_050, stopped: 0 });
    expect(await readAll(100, { limit: 1, all: true })).toEqual({ rows: 10_000, stopped: 0 });
  });

  it('ends when a search finds little, and says so', async () => {
    expect(await readAll(2, { limit: 1_000 })).toEqual({ rows: 50, stopped: 1 });
    expect(await readAll(2, { limit: 1, all: true })).toEqual({ rows: 200, stopped: 0 });
  });
});

describe('BX-17 a list that goes on by offset', () => {
  const everything = { limit: 1, all: true };

  it('is read to its end', async () => {
    const total = 250;
    const read = ({ limit, offset }: { limit: number; offset: number }) =>
      Promise.resolve(rows(offset, Math.min(limit, total - offset), offset + limit < total));
    const found: number[] = [];
    for await (const each of pagesByOffset(read, everything)) found.push(...each);
    expect(found).toEqual(Array.from({ length: total }, (_, n) => n));
  });

  it('ends with an error when every page is the first', async () => {
    const read = ({ limit }: { limit: number }) => Promise.resolve(rows(0, limit, true));
    const pages = pagesByOffset(read, everything);
    await pages.next();
    await expect(pages.next()).rejects.toThrow('the page before');
  });

  const rows = (first: number, count: number, hasMore: boolean): List<number> =>
    Object.assign(
      Array.from({ length: count }, (_, n) => first + n),
      { hasMore, nextCursor: null },
    );
});
