import type { CommandOf, LeaseStore, Outcome } from '@spooled/contracts';
import type { Clock } from '@spooled/domain';
import { type BatchStep, refused, succeeded } from '../step/batch-step.js';
import { leaseItem } from '../step/lease-item.js';
import { refusalError } from '../step/lease-refusal.js';
import { leaseRowOfEach } from '../step/renewed-leases.js';
import { renewLeases } from './renew-leases.queries.js';
import type { RenewLeasesV1Record } from './renew_leases_v1.queries.js';

type Renew = CommandOf<'job.renew'>;

/** Extends unexpired leases to now + duration; writes only the narrow live rows. */
export const renewBatch =
  (clock: Clock, leases?: LeaseStore): BatchStep<'job.renew'> =>
  async (tx, commands, effects) => {
    // The database's "now" lies between this moment and the response.
    const startedAt = clock.monotonic();
    const rows = await leaseRowOfEach(leases, commands, {
      itemOf: ({ body }, number, lease) =>
        ({ ...leaseItem(body, number, lease), lease_seconds: body.leaseSeconds }) satisfies RenewLeasesV1Record,
      run: (batch) => tx.run(renewLeases, { batch }),
    });
    const uncertainMs = clock.monotonic() - startedAt;
    return commands.map(({ organizationId, body: { jobId, workerId } }, number) => {
      const row = rows[number]!;
      if (row.why !== null) return refused(refusalError(row.why));
      const { lease_expires_at: leaseExpiresAt, lease_id: leaseId, queue_name: queueName, seconds } = row;
      if (!row.durable_only) {
        const endsAt = startedAt + seconds * 1000;
        effects.leases.written({
          organizationId,
          jobId,
          workerId,
          leaseId,
          queueName,
          leaseExpiresAt,
          endsAt,
          uncertainMs,
        });
      }
      const cancelRequested = row.cancel_requested ? ({ cancelRequested: true } as const) : {};
      return succeeded<'job.renew'>({ leaseExpiresAt, ...cancelRequested });
    });
  };

/** Renewals answered by the lease store alone (KF-06); null where the row must be written or must refuse. */
export async function renewWithoutRows(
  leases: LeaseStore,
  commands: Renew[],
): Promise<(Outcome<'job.renew'> | null)[]> {
  const ends = await leases.renew(commands.map(({ organizationId, body }) => ({ ...body, organizationId })));
  return ends.map((leaseExpiresAt) => (leaseExpiresAt ? succeeded<'job.renew'>({ leaseExpiresAt }) : null));
}
