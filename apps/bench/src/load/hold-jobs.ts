import { fillPending } from '../fill/fill-jobs.js';
import type { BenchRun } from '../scenario.js';
import { withLanes } from './closed-loop.js';
import { claimJobs, type HeldJob } from './work-over-rest.js';

/** So many jobs in the hands of `worker`, for an hour. */
export async function holdJobs(bench: BenchRun, worker: string, rows: number): Promise<HeldJob[]> {
  const { baseUrl, apiKey, organizationId } = bench.stack;
  await fillPending({ ...bench, say: () => undefined }, { rows, organizations: [organizationId], queues: 1 });
  const held: HeldJob[] = [];
  await withLanes(baseUrl, apiKey, 4, async (lane) => {
    for (;;) {
      const jobs = await claimJobs(lane, { queue: 'pending-0', worker, limit: 100 });
      if (jobs.length === 0) return;
      for (const { id, lease_id } of jobs) held.push({ id, lease_id, payload: {} });
    }
  });
  return held;
}
