import { type ClaimedJob, systemActor } from '@spooled/contracts';
import type { GroupCommit } from '@spooled/queue';
import type { TransportLog } from '@spooled/transport';
import { newCommand } from './new-command.js';

const actor = systemActor('unanswered-claim');
/** Longer than a short outage of PostgreSQL. */
const releaseTtlMs = 10_000;

/** Releases the jobs of a claim whose caller has disconnected before the reply, so that they lose no attempt (BX-02). */
export const releaseUnclaimed =
  (log: TransportLog, local: GroupCommit) =>
  (organizationId: string, jobs: ClaimedJob[]): void => {
    const leases = jobs.map(({ id: jobId, leaseId }) => ({ jobId, leaseId }));
    const command = newCommand('job.release', { organizationId, actor }, { leases }, { ttlMs: releaseTtlMs });
    void local.submit<'job.release'>(command).then((outcome) => {
      if (outcome.ok) return;
      const facts = { error: outcome.error.message, leases: leases.length };
      log.warn(facts, 'unclaimed jobs were not released; their leases will expire');
    });
  };
