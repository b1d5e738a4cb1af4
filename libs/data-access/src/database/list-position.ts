/** The last row of the previous page, in lists that are sorted by a time and then by id. */
export interface ListPosition {
  /** RFC 3339 in UTC, to the microsecond. */
  at: string;
  id: string;
}

/** A page of a list that is sorted by a time. */
export interface TimedPage {
  limit: number;
  offset: number;
  /** null = the first page, or by `offset`. */
  after: ListPosition | null;
}

/** The page as parameters of a statement. */
export const pageParameters = ({ limit, offset, after }: TimedPage) => ({
  limit,
  offset,
  afterTime: after?.at ?? null,
  afterId: after?.id ?? null,
});
