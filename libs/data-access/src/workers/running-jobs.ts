import type { TenantTransaction } from '../database/transactions.js';
import { countBound } from '../explain/explain.js';
import type { JobConditions } from '../jobs/job-filter.js';
import { matchInOrder } from '../jobs/search-terms.js';
import { findRunning, listRunning, type ListRunningResult } from './list-running.queries.js';

/** A job that runs. */
export type RunningJob = ListRunningResult;

export interface RunningJobs {
  /** The longest first, at most 100. */
  jobs: RunningJob[];
  /** All that run and meet the conditions, as far as they were compared. */
  count: number;
  /** Not all were compared: more may match, and those beyond the first 10,000 may have run longer. */
  atLeast: boolean;
}

const maxListed = 100;
/** Running jobs that are compared with a search: 100 ms of one core. */
const maxCompared = 4_000;

/**
 * The jobs that run and meet the conditions, the longest first.
 * @param conditions whose statuses include `processing`, or are null
 * @param tx with `repeatableRead`, because several statements find the jobs
 */
export async function listRunningJobs(tx: TenantTransaction, conditions: JobConditions): Promise<RunningJobs> {
  const { queues, terms, createdAfter, createdBefore } = conditions;
  const isCompared = terms !== null || createdAfter !== null || createdBefore !== null;
  const limit = isCompared ? maxCompared : maxListed;
  const lease = { queues, workers: terms?.workers ?? null };
  const rows = await tx.run(findRunning, { ...lease, scanned: countBound, limit });
  const running = rows[0]?.running ?? 0;
  const ids = rows.map(({ id }) => id);
  const found = isCompared ? await matchInOrder(tx, conditions, { ids, wanted: maxListed }) : { ids, isComplete: true };
  const listed = found.ids.slice(0, maxListed);
  return {
    jobs: listed.length > 0 ? await tx.run(listRunning, { ids: listed }) : [],
    count: isCompared ? found.ids.length : Math.min(running, countBound - 1),
    atLeast: running >= countBound || !found.isComplete || (isCompared && ids.length < running),
  };
}
