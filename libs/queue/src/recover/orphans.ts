import type { SystemTransaction, TenantTransaction } from '@spooled/data-access';
import { z } from 'zod';
import { cancelledJob, releasedJob } from '../step/answers.js';
import type { EffectsBuilder } from '../step/effects.js';
import { reportOwnCascade } from '../step/record-deliveries.js';
import {
  type FindOrphansResult,
  findOrphans,
  listBlockedJobs,
  lockBlockedJobs,
  meetDependencies,
  releaseOrphans,
} from './due-work.queries.js';

const beforeFirstJob = '00000000-0000-0000-0000-000000000000';

/** Blocked jobs that are looked at for each that may be found: 10,000 for 500 take about 0.1 s. */
const lookedAtForEach = 20;

/** Finds blocked jobs that nothing will unblock any more, some at a time (SP-51). */
export class OrphanSearch {
  /** Where the next search continues. */
  private lastBlockedJob = beforeFirstJob;

  /** At most `limit` of those among the next blocked jobs, with their parents; after the last blocked job at the first again. */
  async next(tx: SystemTransaction, limit: number): Promise<FindOrphansResult[]> {
    const most = lookedAtForEach * limit;
    const blocked = await tx.run(listBlockedJobs, { after: this.lastBlockedJob, limit: most });
    // Mostly there are none. With an empty list the statement took 38 ms on a busy machine, every 10 s.
    const ids = blocked.map(({ job_id: id }) => id);
    const found = ids.length === 0 ? [] : await tx.run(findOrphans, { ids, limit });
    // When more may have been found, the next search continues at the last of them.
    const last = found.length === limit ? found.at(-1) : blocked.length === most ? blocked.at(-1) : undefined;
    this.lastBlockedJob = last?.job_id ?? beforeFirstJob;
    return found;
  }
}

const releasedSchema = z.object({ released: z.array(releasedJob), cancelled: z.array(cancelledJob) });

/** Releases or cancels these blocked jobs of one organization; returns how many. */
export async function resolveDependents(
  tx: TenantTransaction,
  rows: FindOrphansResult[],
  effects: EffectsBuilder,
): Promise<number> {
  const org = tx.organizationId;
  const parents = (wanted: (outcome: string | null) => boolean) =>
    rows.flatMap(({ parent, outcome }) => (parent !== null && wanted(outcome) ? [parent] : []));
  const row = await tx.first(releaseOrphans, {
    completed: parents((outcome) => outcome === 'completed'),
    ended: parents((outcome) => outcome !== null && outcome !== 'completed'),
  });
  const { released, cancelled } = releasedSchema.parse(row);
  const vanished = rows.filter(({ outcome }) => outcome === null).map(({ job_id }) => job_id);
  const blocked = (await tx.run(lockBlockedJobs, { ids: vanished })).map(({ job_id }) => job_id);
  const freed = await tx.run(meetDependencies, { ids: blocked });
  for (const { queue } of [...released, ...freed]) effects.wake(org, queue);
  await reportOwnCascade(tx, cancelled, row!.now, effects);
  return released.length + cancelled.length + freed.length;
}
