import { oneOf, textOf } from '../../app/search-params';

/** Filters of the list, as in the address. `status` may be several, joined by commas; times are ISO 8601. */
export interface JobsSearch {
  queue?: string;
  status?: string;
  /** The search line. */
  search?: string;
  type?: string;
  tag?: string;
  after?: string;
  before?: string;
  order?: (typeof orders)[number];
  /** Ids of columns joined by commas, unless they are the usual ones. */
  columns?: string;
  /** Follows live events instead of listing jobs. */
  follow?: 'events';
}

const orders = ['newest', 'oldest', 'updated', 'priority'] as const;

/** What an address or a saved view says, without what is unknown. */
export const readJobsSearch = (search: Record<string, unknown>): JobsSearch => ({
  queue: textOf(search.queue),
  status: textOf(search.status),
  search: textOf(search.search),
  type: textOf(search.type),
  tag: textOf(search.tag),
  after: textOf(search.after),
  before: textOf(search.before),
  order: oneOf(search.order, orders),
  columns: textOf(search.columns),
  follow: oneOf(search.follow, ['events'] as const),
});
