import type { LeaseStore } from '@spooled/contracts';
import {
  asObject,
  type Database,
  isStatementTimeout,
  type SystemTransaction,
  type TransactionLimits,
  type TenantTransaction,
  type Transaction,
  forceIndexPlans,
} from '@spooled/data-access';
import { partition } from '@spooled/domain';
import { expireJobs } from '../expire/expire.js';
import { setTaskActor, type JobTask } from '../step/actor.js';
import { type BackgroundOptions, BlockedTenants, isOutage, lockTimeoutMs } from '../step/blocked-tenants.js';
import { commandRetentionSeconds } from '../step/command-log.js';
import { EffectsBuilder } from '../step/effects.js';
import { writeRenewedLeases } from '../step/write-renewed-leases.js';
import { applyFailures, type EndedAttempt } from '../fail/apply-failures.js';
import { reportActivations } from './activations.js';
import { deleteOldCommands } from './delete-old-commands.queries.js';
import {
  activateDueJobs,
  findExpiredJobs,
  lockExpiredLeases,
  type LockExpiredLeasesResult,
  lockJobsOfWorkers,
  type LockJobsOfWorkersResult as LostLease,
} from './due-work.queries.js';
import { mergeWorkerCounts } from '../workers/merge-worker-counts.queries.js';
import { mergeOldStats } from './merge-old-stats.queries.js';
import {
  deleteEmptyDeadLetterGroups,
  deleteOldDeadLetterCounts,
} from '../dead-letters/delete-old-dead-letter-counts.queries.js';
import { OrphanSearch, resolveDependents } from './orphans.js';

export interface MaintenanceOptions extends BackgroundOptions {
  /** Holds leases between two writes of their rows; absent = rows only. */
  leases?: LeaseStore;
  random?: () => number;
}

/** `only` null = all but `except`. */
interface Organizations {
  only: string[] | null;
  except: string[];
}

/**
 * Time-driven transitions, over all tenants. Each method processes at most `limit` rows, skips locked rows and returns
 * how many it processed; a full batch means that more may be waiting.
 */
export class Maintenance {
  private readonly orphans = new OrphanSearch();
  /** Organizations that would hold up the others: a transaction of an application may hold locks for as long as it likes. */
  private readonly blocked: BlockedTenants;
  private readonly lockMs: number;

  constructor(
    private readonly db: Database,
    private readonly options: MaintenanceOptions,
  ) {
    this.blocked = new BlockedTenants(undefined, options.clock);
    this.lockMs = options.lockMs ?? lockTimeoutMs;
  }

  /** Makes due scheduled and retried jobs claimable (SP-24, SP-31). */
  activateDue(limit: number): Promise<number> {
    return this.run('due-jobs', async (tx, effects) => {
      const rows = await tx.run(activateDueJobs, { limit });
      reportActivations(rows, effects);
      return rows.length;
    });
  }

  /**
   * Ends attempts whose lease has expired: claimable again at once, or a dead letter when retries are exhausted (SP-25,
   * SP-42, KF-14). A lease that the store has extended is kept, and counts as processed. An attempt that has taken its
   * `timeout_seconds` fails whatever its worker does, and is retried with the backoff of the job or its queue.
   */
  recoverExpiredLeases(limit: number): Promise<number> {
    const lock = (tx: SystemTransaction, of: Organizations) => tx.run(lockExpiredLeases, { limit, ...of });
    return this.recover('lease-recovery', lock, async (tx, rows, effects) => {
      const [timedOut, expired] = partition(rows, ({ timed_out_after }) => timed_out_after !== null);
      const renewed = await writeRenewedLeases(tx, expired, this.options.leases);
      const lost = expired.filter((_, i) => !renewed[i]);
      endLeases(timedOut, effects);
      await this.endAttempts(tx, [...timedOut, ...lost], causeOf, effects);
    });
  }

  /** Ends the attempts of stale workers (SP-41), of at most `limit` jobs in each transaction. */
  async recoverJobsOfWorkers(workers: { organizationId: string; id: string }[], limit = 500): Promise<number> {
    if (workers.length === 0) return 0;
    const lock = (tx: SystemTransaction, { only, except }: Organizations) => {
      const taken = workers.filter(({ organizationId: id }) => only?.includes(id) ?? !except.includes(id));
      return tx.run(lockJobsOfWorkers, {
        organizationIds: taken.map(({ organizationId }) => organizationId),
        workerIds: taken.map(({ id }) => id),
        limit,
      });
    };
    const end = (tx: SystemTransaction, rows: LostLease[], effects: EffectsBuilder) => {
      endLeases(rows, effects);
      const offline = ({ worker_id: id }: LostLease) =>
        ({ ...lost, event: 'worker_lost', error: `Worker ${id} went offline` }) as const;
      return this.endAttempts(tx, rows, offline, effects);
    };
    let count = 0;
    let found: number;
    do {
      found = await this.recover('stale-workers', lock, end);
      count += found;
    } while (found >= limit);
    return count;
  }

  /** Cancels jobs that expired before a worker claimed them, and their dependents. Expired retries become dead letters. */
  async expireJobs(limit: number): Promise<number> {
    const except = this.blocked.list();
    const found = await this.db.asSystem('find expired jobs', (tx) => tx.run(findExpiredJobs, { limit, except }));
    await this.eachOrganization('job-expiry', found, (org, rows) => {
      const ids = rows.map(({ job_id }) => job_id);
      return this.runFor(org, 'job-expiry', (tx, effects) => expireJobs(tx, ids, effects));
    });
    return found.length;
  }

  /**
   * Safety net for dependencies: blocked jobs whose parents have ended or no longer exist (SP-33, SP-51). Looks at some of the blocked jobs,
   * the next call at the next ones.
   */
  async resolveOrphanedDependents(limit: number): Promise<number> {
    const search = (tx: SystemTransaction) => this.orphans.next(tx, limit);
    const found = await this.db.asSystem('find orphaned dependents', search, { timeoutMs: 'none' });
    let moved = 0;
    await this.eachOrganization('dependencies', found, async (org, own) => {
      moved += await this.runFor(org, 'dependencies', (tx, effects) => resolveDependents(tx, own, effects));
    });
    return moved;
  }

  /** Merges counters of old hours, keeping the totals. Returns the number of rows removed. */
  async mergeOldStats(limit: number): Promise<number> {
    const limits = { timeoutMs: 'none', lockMs: this.lockMs } as const;
    const { merged } = await this.tidy('merge old counters', (tx) => tx.one(mergeOldStats, { limit }), limits);
    return merged;
  }

  /** Deletes counters of dead letters that nobody reads any more. Returns the number of rows of the larger deletion. */
  async deleteOldDeadLetterCounts(limit: number): Promise<number> {
    const statements = [deleteOldDeadLetterCounts, deleteEmptyDeadLetterGroups];
    const work = (tx: SystemTransaction) => Promise.all(statements.map((one) => tx.one(one, { limit })));
    const found = await this.tidy('delete old counters of dead letters', work, { timeoutMs: 'none' });
    return Math.max(...found.map(({ deleted }) => deleted));
  }

  /** Adds what completions and failures have counted to the counters of their workers. Returns the number of rows added up. */
  async mergeWorkerCounts(limit: number): Promise<number> {
    return (await this.db.asSystem('merge worker counters', (tx) => tx.one(mergeWorkerCounts, { limit }))).merged;
  }

  /** Deletes records of commands that can no longer be redelivered: commands expire after at most 60 s. */
  async deleteOldCommands(limit: number): Promise<number> {
    const old = { keptSeconds: commandRetentionSeconds, limit };
    return (await this.tidy('delete old commands', (tx) => tx.one(deleteOldCommands, old))).forgotten;
  }

  /** Work on rows that no job needs, by indexes: most of a table may be old, or nothing. */
  private tidy<T>(why: string, work: (tx: SystemTransaction) => Promise<T>, limits?: TransactionLimits): Promise<T> {
    const byIndex = async (tx: SystemTransaction) => (await Promise.all([tx.run(forceIndexPlans), work(tx)]))[1];
    return this.db.asSystem(why, byIndex, limits);
  }

  /**
   * Ends leases of all organizations in one transaction, and if that fails in one for each of them; suspects come last, each alone.
   * Returns how many were found.
   */
  private async recover<Row extends LostLease>(
    task: JobTask,
    lock: (tx: SystemTransaction, of: Organizations) => Promise<Row[]>,
    end: (tx: SystemTransaction, rows: Row[], effects: EffectsBuilder) => Promise<void>,
  ): Promise<number> {
    const suspects = this.blocked.suspects();
    const others = { only: null, except: [...this.blocked.list(), ...suspects] };
    let found: Row[] = [];
    const recoverOf = (of: Organizations, lockMs?: number) => {
      const work = async (tx: SystemTransaction, effects: EffectsBuilder) => {
        const rows = await lock(tx, of);
        if (of === others) found = rows;
        await end(tx, rows, effects);
        return rows.length;
      };
      return this.run(task, work, lockMs);
    };
    const recoverOne = (id: string) => recoverOf({ only: [id], except: [] }, this.blocked.lockMs(id, this.lockMs));
    try {
      await recoverOf(others);
    } catch (error) {
      if (found.length === 0 || isOutage(error)) throw error;
      if (!isStatementTimeout(error)) this.options.onError(error, task);
      await this.eachOrganization(task, found, recoverOne);
    }
    let count = found.length;
    const apart = suspects.map((id) => ({ organization_id: id }));
    await this.eachOrganization(task, apart, async (id) => (count += await recoverOne(id)));
    return count;
  }

  /**
   * Runs `run` for each organization of the rows, in their order, but suspects last. One that fails holds up no other, and is left out for
   * some seconds.
   */
  private async eachOrganization<Row extends { organization_id: string }>(
    task: JobTask,
    rows: Row[],
    run: (organizationId: string, own: Row[]) => Promise<unknown>,
  ): Promise<void> {
    const all = [...Map.groupBy(rows, (row) => row.organization_id)];
    const [suspects, others] = partition(all, ([organizationId]) => this.blocked.isSuspect(organizationId));
    for (const [organizationId, own] of [...others, ...suspects]) {
      if (this.blocked.has(organizationId)) continue;
      try {
        await run(organizationId, own);
      } catch (error) {
        if (isOutage(error)) throw error;
        this.blocked.record(organizationId);
        if (isStatementTimeout(error)) this.options.onBlocked?.(organizationId);
        else this.options.onError(error, `${task} of organization ${organizationId}`);
      }
    }
  }

  private async endAttempts<Row extends LostLease>(
    tx: SystemTransaction,
    rows: Row[],
    causeOf: (row: Row) => Cause,
    effects: EffectsBuilder,
  ): Promise<void> {
    const attempts = rows.map((row): EndedAttempt => ({
      organizationId: row.organization_id,
      jobId: row.job_id,
      retryCount: row.retry_count,
      maxRetries: row.max_retries,
      retry: true,
      cancelRequested: row.cancel_requested,
      ...causeOf(row),
    }));
    const decided = await applyFailures(tx, attempts, effects, this.options.random ?? Math.random);
    rows.forEach((row, i) => {
      if (decided[i]!.willRetry) effects.wake(row.organization_id, row.queue_name);
    });
  }

  private async run<T>(
    task: JobTask,
    work: (tx: SystemTransaction, effects: EffectsBuilder) => Promise<T>,
    lockMs = this.lockMs,
  ): Promise<T> {
    const effects = new EffectsBuilder();
    const value = await this.db.asSystem(task, (tx) => runTask(tx, task, effects, work), { lockMs });
    await effects.leases.apply(this.options.leases);
    effects.publish(this.options);
    return value;
  }

  private async runFor<T>(
    organizationId: string,
    task: JobTask,
    work: (tx: TenantTransaction, effects: EffectsBuilder) => Promise<T>,
  ): Promise<T> {
    const effects = new EffectsBuilder();
    const lockMs = this.blocked.lockMs(organizationId, this.lockMs);
    const value = await this.db.withTenant(organizationId, (tx) => runTask(tx, task, effects, work), { lockMs });
    effects.publish(this.options);
    return value;
  }
}

/** Runs `work` in the name of the task, and updates the workflows that it touches as the last step of the transaction. */
async function runTask<Tx extends Transaction, T>(
  tx: Tx,
  task: JobTask,
  effects: EffectsBuilder,
  work: (tx: Tx, effects: EffectsBuilder) => Promise<T>,
): Promise<T> {
  const [, value] = await Promise.all([setTaskActor(tx, task), work(tx, effects)]);
  await effects.updateWorkflows(tx);
  return value;
}

/** Why an attempt has ended, and whether the next one waits. */
type Cause = Pick<EndedAttempt, 'event' | 'error' | 'backoff' | 'settings'>;

const lost = { backoff: false, settings: null } as const;

function causeOf({ worker_id: worker, timed_out_after: seconds, settings }: LockExpiredLeasesResult): Cause {
  if (seconds !== null) {
    const error = `timeout: the attempt of worker ${worker} took longer than the job's timeout_seconds (${seconds})`;
    return { event: 'timeout', error, backoff: true, settings: settings === null ? null : asObject(settings) };
  }
  const error = `Lease expired: worker ${worker} neither finished the job nor renewed its lease`;
  return { ...lost, event: 'lease_expired', error };
}

/** The lease store may still hold them. */
function endLeases(rows: LostLease[], effects: EffectsBuilder): void {
  for (const { organization_id: organizationId, job_id: jobId, lease_id: leaseId } of rows) {
    effects.leases.ended({ organizationId, jobId, leaseId });
  }
}
