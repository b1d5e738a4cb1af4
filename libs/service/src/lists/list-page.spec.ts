import { encodeCursor } from './cursor.js';
import { byCreation, pageOf, pageOfSearch, rowsOf, searchedRowsOf } from './list-page.js';

const id = '019aa0e8-0000-7000-8000-000000000000';
const rows = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ id, created_at: `2026-01-01T00:00:0${i}Z` }));
const cursorAt = (second: number) => encodeCursor([`2026-01-01T00:00:0${second}Z`, id]);

describe('a page of a list', () => {
  it('has another one after it if there is one row more', () => {
    const page = { limit: 2, offset: 4 };
    expect(pageOf(rows(2), page, byCreation)).toMatchObject({ hasMore: false, nextCursor: null, nextOffset: 6 });
    const next = pageOf(rows(3), page, byCreation);
    expect(next).toEqual({ rows: rows(2), hasMore: true, nextCursor: cursorAt(1), nextOffset: 6 });
    expect(pageOf(rows(3), page, null)).toMatchObject({ hasMore: true, nextCursor: null });
  });

  it('begins at the cursor, not at an offset beyond it', () => {
    expect(rowsOf({ limit: 2, offset: 4 })).toEqual({ limit: 3, offset: 4 });
    expect(rowsOf({ limit: 2, offset: 4, cursor: cursorAt(1) })).toEqual({ limit: 3, offset: 0 });
  });
});

describe('a page of a search in parts', () => {
  const query = { limit: 2, offset: 0 };
  const searchedTo = { at: '2026-01-01T00:00:05Z', id };

  it('continues where the search has ended, however few rows it has', () => {
    expect(pageOfSearch({ rows: [], searchedTo }, query, byCreation)).toEqual({
      ...{ rows: [], hasMore: true, nextOffset: 2, isShort: true },
      nextCursor: cursorAt(5),
    });
    expect(pageOfSearch({ rows: rows(1), searchedTo: null }, query, byCreation)).toMatchObject({ hasMore: false });
  });

  it('refuses an offset that the search has not reached', () => {
    const search = (more: object) => () => pageOfSearch({ rows: [], searchedTo }, { ...query, ...more }, byCreation);
    expect(search({ offset: 1 })).toThrow(expect.objectContaining({ details: { offset: expect.any(String) } }));
    expect(search({ offset: 1, cursor: cursorAt(1) })).not.toThrow();
  });

  it('begins at `after` or `cursor`, and an error names the one that was given', () => {
    const after = { at: '2026-01-01T00:00:01Z', id };
    expect(searchedRowsOf({ ...query, after: cursorAt(1) })).toEqual({ limit: 3, offset: 0, after });
    expect(searchedRowsOf({ ...query, after: cursorAt(2), cursor: cursorAt(1) })).toMatchObject({ after });
    for (const name of ['after', 'cursor'])
      expect(() => searchedRowsOf({ ...query, [name]: 'x' })).toThrow(
        expect.objectContaining({ details: { [name]: expect.any(String) } }),
      );
  });
});
