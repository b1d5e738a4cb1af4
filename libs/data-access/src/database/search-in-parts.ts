import { pageParameters, type ListPosition, type TimedPage } from './list-position.js';

/** A page of a list whose filters no index answers. */
export interface Searched<T> {
  rows: T[];
  /** Where the search ended before the page was full: more rows may follow after this position. Null when it went to the end. */
  searchedTo: ListPosition | null;
}

/** How much further pages by `offset` are searched: they cost what they pass over, as in every list. */
const searchFactorOfOffsets = 12;
/** Rows that are tried first. A filter that matches one row in 20 fills its page from them. */
const firstRows = 1_000;
/** Neighbouring rows that a search reads at most: about 20 ms of one core. */
const maxRows = 20_000;

/**
 * A page that is searched for among a bounded number of rows, so it may be short; then it says how far the search came (SP-91). A page with
 * an offset is complete: it is searched further, and has no rows when that is not enough.
 * @param page `isSelective`: whether a row may be left out for another reason than its age
 * @param search finds the page after `skip` matches among `factor` times the usual number of rows
 */
export async function searchPage<T>(
  { offset, isSelective }: { offset: number; isSelective: boolean },
  search: (skip: number, factor: number) => Promise<Searched<T>>,
): Promise<Searched<T>> {
  if (offset === 0) return search(0, 1);
  if (isSelective) {
    // A caller that was given a short first page continues after the end of its search. Counting from the start would pass over rows.
    const { searchedTo } = await search(0, 1);
    if (searchedTo) return { rows: [], searchedTo };
  }
  const found = await search(offset, searchFactorOfOffsets);
  return found.searchedTo ? { rows: [], searchedTo: found.searchedTo } : found;
}

/** The part of a list that a statement looks at: matches among the next `rows` rows. */
export type SearchedPart = ReturnType<typeof pageParameters> & { rows: number };

/** The two statements of a search. */
export interface PartReader<T> {
  /** Matches among the rows of the part. */
  find(part: SearchedPart): Promise<T[]>;
  /** The position of the last row of the part, whether it matches or not; none if there are fewer rows. */
  findEnd(part: SearchedPart): Promise<ListPosition[]>;
}

/**
 * `searchPage` in a list sorted by a time.
 * @param most rows that a search reads at most
 */
export function searchTimedPage<T>(
  page: TimedPage,
  { isSelective, most = maxRows }: { isSelective: boolean; most?: number },
  read: PartReader<T>,
): Promise<Searched<T>> {
  return searchPage({ offset: page.offset, isSelective }, async (offset, factor) => {
    const parameters = pageParameters({ ...page, offset });
    const wanted = offset + page.limit;
    // Without a filter the page is the next rows.
    if (!isSelective) return { rows: await read.find({ ...parameters, rows: wanted }), searchedTo: null };
    const among = async (rows: number): Promise<Searched<T>> => {
      const part = { ...parameters, rows: rows + wanted };
      const found = await read.find(part);
      const [end] = found.length < page.limit ? await read.findEnd(part) : [];
      return { rows: found, searchedTo: end ?? null };
    };
    const rows = most * factor;
    const first = await among(Math.min(firstRows, rows));
    return first.searchedTo && rows > firstRows ? among(rows) : first;
  });
}

/** A row of a page that ends after so many bytes of documents; `found` is the number of rows that it would have otherwise. */
interface SizedRow {
  id: string;
  created_at: string;
  found: number;
}

/** `searchTimedPage` with statements that end a page by its size: then it is short, and continues after its last row. */
export async function searchSizedPage<T extends SizedRow>(
  page: TimedPage,
  limits: { isSelective: boolean; most?: number },
  read: PartReader<T>,
): Promise<Searched<Omit<T, 'found'>>> {
  const search = async (offset: number) => endedBySize(await searchTimedPage({ ...page, offset }, limits, read));
  const start = await search(0);
  if (page.offset === 0) return start;
  // As in `searchPage`: after a short first page, counting from the start would pass over rows.
  const found = start.searchedTo ? start : await search(page.offset);
  return found.searchedTo ? { rows: [], searchedTo: found.searchedTo } : found;
}

/** A page that was cut ends at its last row. */
function endedBySize<T extends SizedRow>({ rows, searchedTo }: Searched<T>): Searched<Omit<T, 'found'>> {
  const last = rows.at(-1);
  const isCut = last !== undefined && rows.length < last.found;
  return {
    rows: rows.map(({ found: _, ...row }) => row),
    searchedTo: isCut ? { at: last.created_at, id: last.id } : searchedTo,
  };
}
