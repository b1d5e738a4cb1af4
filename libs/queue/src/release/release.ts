import { type ClaimRef, type CommandBody, type LeaseStore, takeoverDelivery } from '@spooled/contracts';
import type { TenantTransaction } from '@spooled/data-access';
import { partition } from '@spooled/domain';
import { cancelAttempts } from '../cancel/cancel-attempts.js';
import { presentedLease, type RenewedLeases, runOnLeases } from '../step/renewed-leases.js';
import type { SingleStep } from '../step/single-step.js';
import { fenceCommands, findFences } from '../step/fences.queries.js';
import {
  releaseClaims as releaseClaimsSql,
  type ReleaseClaimsResult,
  releaseLeases as releaseLeasesSql,
  type ReleaseLeasesResult,
} from './release-leases.queries.js';
import type { ReleaseClaimsV1Record } from './release_claims_v1.queries.js';
import type { ReleaseLeasesV1Record } from './release_leases_v1.queries.js';

type Lease = CommandBody<'job.release'>['leases'][number] & { delivered?: boolean };

/**
 * Releases leases whose worker is gone or never received them; the jobs are claimable at once, or after their delay, and keep their attempts
 * (BX-02). Those that were asked to end are cancelled.
 */
export const releaseLeases =
  (store?: LeaseStore): SingleStep<'job.release'> =>
  async (tx, { body }, effects) => {
    const { organizationId } = tx;
    const leases = distinct(body.leases).map((lease) => ({ ...lease, delivered: body.delivered }));
    const released = leases.length > 0 ? await releaseAll(tx, leases, store) : [];
    const found = new Map(released.map((row) => [row.job_id, row]));
    const delayed = new Set(leases.filter(({ delayMs = 0 }) => delayMs > 0).map(({ jobId }) => jobId));
    const leaseOf = new Map(leases.map(({ jobId, leaseId }) => [jobId, leaseId]));
    for (const row of await releaseClaims(tx, body.claims ?? [])) {
      found.set(row.job_id, row);
      leaseOf.set(row.job_id, row.lease_id);
    }
    const [requested, rows] = partition([...found.values()], ({ cancel_requested }) => cancel_requested);
    const attempts = requested.map(({ job_id: jobId }) => ({ organizationId, jobId, cause: 'released' }) as const);
    await cancelAttempts(tx, attempts, effects);
    for (const { job_id: id, queue_name: queue, released_at: at } of rows) {
      effects.statusChange(organizationId, { id, queue }, { from: 'processing', to: 'pending', at });
      // A delayed job is announced when it is due.
      if (!delayed.has(id)) effects.wake(organizationId, queue);
      effects.leases.ended({ organizationId, jobId: id, leaseId: leaseOf.get(id)! });
    }
    return { releasedJobs: found.size };
  };

/** A lease that is named twice is released once. */
const distinct = <L extends Lease>(leases: readonly L[]): L[] => [
  ...new Map(leases.map((lease) => [`${lease.jobId} ${lease.leaseId}`, lease])).values(),
];

function releaseAll(tx: TenantTransaction, leases: Lease[], store?: LeaseStore): Promise<ReleaseLeasesResult[]> {
  return runOnLeases(store, {
    run: (renewed) => releaseRows(tx, leases, renewed),
    expired: (rows) => notReleased(leases, rows),
    leaseOf: (number) => presentedLease(tx.organizationId, { ...leases[number]!, workerId: null }),
  });
}

/** The statement returns no reasons: leases that it did not release may have expired. */
function notReleased(leases: Lease[], rows: ReleaseLeasesResult[]): number[] {
  const released = new Set(rows.map(({ job_id }) => job_id));
  return leases.flatMap(({ jobId }, number) => (released.has(jobId) ? [] : [number]));
}

/** The claims are fenced off first: a claim that runs later is granted nothing. */
async function releaseClaims(tx: TenantTransaction, all: readonly ClaimRef[]): Promise<ReleaseClaimsResult[]> {
  const claims = await withoutLaterRuns(tx, all);
  if (claims.length === 0) return [];
  const ids = claims.map(({ claimId }) => claimId);
  const items = claims.map(
    ({ claimId: claim, queueName: queue, workerId: worker }) =>
      ({ claim, queue, worker }) satisfies ReleaseClaimsV1Record,
  );
  const [, rows] = await Promise.all([
    tx.run(fenceCommands, {
      organizationIds: ids.map(() => tx.organizationId),
      ids,
      deliveries: ids.map(() => takeoverDelivery),
    }),
    tx.run(releaseClaimsSql, { claims: JSON.stringify(items) }),
  ]);
  return rows;
}

/** Without claims of which a later delivery has run: the caller has the jobs that it was granted, also those that an earlier one was. */
async function withoutLaterRuns(tx: TenantTransaction, claims: readonly ClaimRef[]): Promise<readonly ClaimRef[]> {
  const ids = claims.flatMap(({ claimId, delivery }) => (delivery === undefined ? [] : [claimId]));
  if (ids.length === 0) return claims;
  const fences = await tx.run(findFences, { ids });
  const own = fences.filter(({ owner_id }) => owner_id === tx.organizationId);
  const lastRuns = new Map(own.map(({ command_id, delivery }) => [command_id, delivery]));
  return claims.filter(({ claimId, delivery = takeoverDelivery }) => {
    const last = lastRuns.get(claimId) ?? 0;
    // The fence of an earlier release is none of a run.
    return last <= delivery || last === takeoverDelivery;
  });
}

function releaseRows(tx: TenantTransaction, leases: Lease[], renewed?: RenewedLeases): Promise<ReleaseLeasesResult[]> {
  const items = leases
    .map(({ jobId, leaseId, delivered, delayMs }, number) => {
      const lease = { id: jobId, lease: leaseId, renewed: renewed?.has(number), held: delivered, delay_ms: delayMs };
      return lease satisfies ReleaseLeasesV1Record;
    })
    .filter((item) => item.renewed !== false);
  return tx.run(releaseLeasesSql, { leases: JSON.stringify(items) });
}
