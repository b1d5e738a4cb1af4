import { oneOf, searchOf, textOf } from '../../app/search-params';

/** Reads what an address or a saved view says. `status` may be several, joined by commas; times are ISO 8601. */
export const jobsSearch = searchOf({
  queue: textOf,
  status: textOf,
  /** The search line. */
  search: textOf,
  type: textOf,
  tag: textOf,
  after: textOf,
  before: textOf,
  /** Absent: the newest first. */
  order: oneOf(['oldest', 'updated', 'priority']),
  /** Ids of columns joined by commas, unless they are the usual ones. */
  columns: textOf,
  /** Follows live events instead of listing jobs. */
  follow: oneOf(['events']),
});
export type JobsSearch = ReturnType<typeof jobsSearch>;
