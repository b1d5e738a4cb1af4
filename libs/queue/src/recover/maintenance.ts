import type { LeaseStore } from '@spooled/contracts';
import {
  unlimitedTime,
  type Database,
  type SystemTransaction,
  type TenantTransaction,
  type Transaction,
} from '@spooled/data-access';
import { cancelJobs } from '../cancel/cancel.js';
import { type Effects, EffectsBuilder, isEmpty } from '../step/effects.js';
import { recordCancellations } from '../step/record-deliveries.js';
import { applyFailures, type EndedAttempt } from '../fail/apply-failures.js';
import forgetCommandsSql from './delete-old-commands.sql';
import mergeSql from './merge-old-stats.sql';
import { excludeRenewedLeases } from './exclude-renewed-leases.js';

export interface MaintenanceOptions {
  /** Called after each commit that has something to tell; must not throw. */
  onEffects(effects: Effects): void;
  /** Holds leases between two writes of their rows; absent = rows alone. */
  leases?: LeaseStore;
  random?: () => number;
}

/** Ten times as long as a command may wait. */
const commandsKeptSeconds = 600;

interface LostLease {
  job_id: string;
  organization_id: string;
  queue_name: string;
  worker_id: string;
  lease_id: string;
  retry_count: number;
  max_retries: number;
  settings: Record<string, unknown> | null;
}

/** Milliseconds until a waiting job is due or a lease ends (negative when overdue), by the database's clock; null when nothing waits. */
export async function msUntilNextDeadline(tx: SystemTransaction): Promise<number | null> {
  const [row] = await tx.query<{ ms: number | null }>(
    'SELECT (extract(epoch FROM next_deadline_v1() - clock_timestamp()) * 1000)::float8 AS ms',
  );
  return row!.ms;
}

/**
 * The moves that time makes, over all tenants. Every method works on at most `limit` rows, skips rows that somebody else
 * holds, and returns how many it moved; a full batch means that more may wait.
 */
export class Maintenance {
  constructor(
    private readonly db: Database,
    private readonly options: MaintenanceOptions,
  ) {}

  /** Makes scheduled and retried jobs claimable whose time has come (SP-24, SP-31). */
  activateDue(limit: number): Promise<number> {
    return this.run('activate due jobs', async (tx, effects) => {
      const rows = await tx.query<{ job_id: string; organization_id: string; queue_name: string; old: string }>(
        'SELECT * FROM activate_due_jobs_v1($1)',
        [limit],
      );
      const at = new Date().toISOString();
      for (const { job_id: id, organization_id: org, queue_name: queue, old } of rows) {
        if (old === 'scheduled') effects.statusChange(org, { id, queue }, { from: 'scheduled', to: 'pending', at });
        effects.wake(org, queue);
      }
      return rows.length;
    });
  }

  /**
   * Ends attempts whose lease has run out: claimable again at once, or a dead letter when the budget is spent (SP-25, SP-42, KF-14).
   * A lease that lives on beyond its row is spared, and counts as moved.
   */
  recoverExpiredLeases(limit: number): Promise<number> {
    return this.run('recover expired leases', async (tx, effects) => {
      const rows = await tx.query<LostLease>('SELECT * FROM lock_expired_leases_v1($1)', [limit]);
      const lost = await excludeRenewedLeases(tx, rows, this.options.leases);
      await this.endAttempts(tx, lost, 'lease_expired', effects);
      return rows.length;
    });
  }

  /** Ends the attempts of workers that have gone silent (SP-41). */
  recoverJobsOfWorkers(workers: { organizationId: string; id: string }[]): Promise<number> {
    if (workers.length === 0) return Promise.resolve(0);
    return this.run('recover jobs of silent workers', async (tx, effects) => {
      const rows = await tx.query<LostLease>('SELECT * FROM lock_jobs_of_workers_v2($1, $2)', [
        workers.map(({ organizationId }) => organizationId),
        workers.map(({ id }) => id),
      ]);
      for (const { organization_id: organizationId, job_id: jobId, lease_id: leaseId } of rows) {
        effects.leases.ended({ organizationId, jobId, leaseId });
      }
      return this.endAttempts(tx, rows, 'worker_lost', effects);
    });
  }

  /** Cancels jobs whose expiry passed before a worker took them; their dependents with them. */
  async expireJobs(limit: number): Promise<number> {
    const found = await this.db.asSystem('find expired jobs', (tx) =>
      tx.query<{ job_id: string; organization_id: string }>('SELECT * FROM find_expired_jobs_v1($1)', [limit]),
    );
    for (const [org, ids] of groupIds(found)) {
      await this.runFor(org, (tx, effects) => cancelJobs(tx, ids, 'Expired before a worker took it', effects));
    }
    return found.length;
  }

  /** The safety net below release and cascade: blocked jobs whose parents have ended or vanished (SP-33, SP-51). */
  async settleOrphans(limit: number): Promise<number> {
    const found = await this.db.asSystem('find orphans', (tx) =>
      tx.query<{ job_id: string; organization_id: string; parent: string | null; outcome: string | null }>(
        'SELECT * FROM find_orphans_v1($1)',
        [limit],
      ),
    );
    let moved = 0;
    for (const org of new Set(found.map((row) => row.organization_id))) {
      const own = found.filter((row) => row.organization_id === org);
      moved += await this.runFor(org, (tx, effects) => settle(tx, own, effects));
    }
    return moved;
  }

  /** Merges counters of old hours; totals stay what they were. Returns the rows that are gone. */
  async mergeOldStats(limit: number): Promise<number> {
    const [row] = await this.db.asSystem(
      'merge old counters',
      (tx) => tx.query<{ merged: number }>(mergeSql, [limit]),
      unlimitedTime,
    );
    return row!.merged;
  }

  /** Forgets commands that can no longer be delivered again: they are dropped after 60 s at most. */
  async forgetCommands(limit: number): Promise<number> {
    const [row] = await this.db.asSystem('forget commands', (tx) =>
      tx.query<{ forgotten: number }>(forgetCommandsSql, [commandsKeptSeconds, limit]),
    );
    return row!.forgotten;
  }

  private async endAttempts(
    tx: SystemTransaction,
    rows: LostLease[],
    event: 'lease_expired' | 'worker_lost',
    effects: EffectsBuilder,
  ): Promise<number> {
    const attempts = rows.map((row): EndedAttempt => {
      const error =
        event === 'lease_expired'
          ? `Lease expired: worker ${row.worker_id} neither finished the job nor renewed its lease`
          : `Worker ${row.worker_id} went offline`;
      return {
        organizationId: row.organization_id,
        jobId: row.job_id,
        retryCount: row.retry_count,
        maxRetries: row.max_retries,
        settings: row.settings,
        error,
        event,
        retry: true,
        backoff: false,
      };
    });
    const decided = await applyFailures(tx, attempts, effects, this.options.random ?? Math.random);
    rows.forEach((row, i) => {
      if (decided[i]!.willRetry) effects.wake(row.organization_id, row.queue_name);
    });
    return rows.length;
  }

  private async run<T>(
    reason: string,
    work: (tx: SystemTransaction, effects: EffectsBuilder) => Promise<T>,
  ): Promise<T> {
    const effects = new EffectsBuilder();
    const value = await this.db.asSystem(reason, (tx) => settled(tx, effects, work(tx, effects)));
    await effects.leases.apply(this.options.leases);
    this.emit(effects);
    return value;
  }

  private async runFor<T>(
    organizationId: string,
    work: (tx: TenantTransaction, effects: EffectsBuilder) => Promise<T>,
  ): Promise<T> {
    const effects = new EffectsBuilder();
    const value = await this.db.withTenant(organizationId, (tx) => settled(tx, effects, work(tx, effects)));
    this.emit(effects);
    return value;
  }

  private emit(builder: EffectsBuilder): void {
    const effects = builder.build();
    if (!isEmpty(effects)) this.options.onEffects(effects);
  }
}

/** Settles the workflows that the work has touched, as the last step of its transaction. */
async function settled<T>(tx: Transaction, effects: EffectsBuilder, work: Promise<T>): Promise<T> {
  const value = await work;
  await effects.workflows.settle(tx);
  return value;
}

async function settle(
  tx: TenantTransaction,
  rows: { job_id: string; parent: string | null; outcome: string | null }[],
  effects: EffectsBuilder,
): Promise<number> {
  const org = tx.organizationId;
  const parents = (wanted: (outcome: string | null) => boolean) =>
    rows.flatMap(({ parent, outcome }) => (parent !== null && wanted(outcome) ? [parent] : []));
  const [row] = await tx.query<{ released: { id: string; queue: string }[]; cancelled: CancelledRow[] }>(
    'SELECT release_dependents_v1($1, $2) AS released, cancel_dependents_v1($1, $3) AS cancelled',
    [
      org,
      parents((outcome) => outcome === 'completed'),
      parents((outcome) => outcome !== null && outcome !== 'completed'),
    ],
  );
  const vanished = rows.filter(({ outcome }) => outcome === null).map(({ job_id }) => job_id);
  const freed = await tx.query<{ queue: string }>(
    'UPDATE job_queue SET dependencies_met = true WHERE organization_id = $1 AND job_id = ANY ($2) RETURNING queue_name AS queue',
    [org, vanished],
  );
  const at = new Date().toISOString();
  for (const { queue } of [...row!.released, ...freed]) effects.wake(org, queue);
  for (const job of row!.cancelled) effects.statusChange(org, job, { from: job.old, to: 'cancelled', at });
  const cascade = row!.cancelled.map(({ id: jobId, queue: queueName, old: oldStatus }) => ({
    organizationId: org,
    jobId,
    queueName,
    oldStatus,
    reason: 'cascade',
  }));
  await recordCancellations(tx, cascade, effects);
  return row!.released.length + row!.cancelled.length + freed.length;
}

interface CancelledRow {
  id: string;
  queue: string;
  old: 'pending' | 'scheduled';
}

function groupIds(rows: { job_id: string; organization_id: string }[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { job_id, organization_id } of rows) {
    const group = groups.get(organization_id);
    if (group) group.push(job_id);
    else groups.set(organization_id, [job_id]);
  }
  return groups;
}
