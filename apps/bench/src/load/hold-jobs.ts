import { fillQueue, filledQueue } from '../fill/fill-jobs.js';
import type { BenchRun } from '../scenario.js';
import { withConnections } from './closed-loop.js';
import { claimJobs, type HeldJob } from './work-over-rest.js';

/** Inserts `rows` jobs and claims them for `worker` with a lease of one hour. */
export async function holdJobs(bench: BenchRun, worker: string, rows: number): Promise<HeldJob[]> {
  const { baseUrl, apiKey } = bench.stack;
  await fillQueue(bench, rows);
  const held: HeldJob[] = [];
  await withConnections(baseUrl, apiKey, 4, async (connection) => {
    for (;;) {
      const jobs = await claimJobs(connection, { queue: filledQueue, worker, limit: 100 });
      if (jobs.length === 0) return;
      for (const { id, lease_id } of jobs) held.push({ id, lease_id, payload: {} });
    }
  });
  return held;
}
