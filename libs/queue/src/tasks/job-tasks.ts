import type { EventBatch } from '@spooled/contracts';
import { type Database, markStaleWorkers, type StaleWorker } from '@spooled/data-access';
import { missedHeartbeats } from '@spooled/domain';
import type { Operations } from '../operations/operations.js';
import type { Maintenance } from '../recover/maintenance.js';
import type { Deadlines } from './deadlines.js';
import type { DeadlineTask, ScheduledTask } from './scheduled-task.js';

/** Makes scheduled and retried jobs claimable when they are due (SP-24, SP-31). */
export class DueJobsTask implements DeadlineTask {
  readonly name = 'due-jobs';
  readonly fullBatch = 1_000;

  constructor(
    private readonly maintenance: Maintenance,
    private readonly deadlines: Deadlines,
  ) {}

  msUntilDue(): Promise<number | null> {
    return this.deadlines.msUntilJob();
  }

  run(): Promise<number> {
    return this.maintenance.activateDue(this.fullBatch);
  }
}

/**
 * Recovers expired leases. Runs when the next lease expires, so that a job is claimable again within 1 s
 * (BX-02, KF-23); a sweep every 30 s is the safety net (SP-42, KF-14).
 */
export class LeaseRecoveryTask implements DeadlineTask {
  readonly name = 'lease-recovery';
  readonly fullBatch = 500;

  constructor(
    private readonly maintenance: Maintenance,
    private readonly deadlines: Deadlines,
  ) {}

  msUntilDue(): Promise<number | null> {
    return this.deadlines.msUntilJob();
  }

  run(): Promise<number> {
    return this.maintenance.recoverExpiredLeases(this.fullBatch);
  }
}

/** Cancels jobs whose `expires_at` passed before a worker claimed them. They are unclaimable from then on in any case. */
export class ExpiryTask implements ScheduledTask {
  readonly name = 'expiry';
  readonly fullBatch = 500;

  constructor(private readonly maintenance: Maintenance) {}

  run(): Promise<number> {
    return this.maintenance.expireJobs(this.fullBatch);
  }
}

/** Safety net for dependencies, which are normally resolved when their parent ends (SP-33, SP-51). */
export class DependenciesTask implements ScheduledTask {
  readonly name = 'dependencies';
  readonly fullBatch = 500;

  constructor(private readonly maintenance: Maintenance) {}

  run(): Promise<number> {
    return this.maintenance.resolveOrphanedDependents(this.fullBatch);
  }
}

/** Advances replays, purges and other acts on many jobs, each by one bounded step when it is due (BX-06, BX-15). */
export class OperationsTask implements DeadlineTask {
  readonly name = 'operations';
  // After any step the next deadline is read at once: it may be a few milliseconds away.
  readonly fullBatch = 1;

  constructor(
    private readonly operations: Operations,
    private readonly deadlines: Deadlines,
  ) {}

  msUntilDue(): Promise<number | null> {
    return this.deadlines.msUntilOperation();
  }

  run(stopping: AbortSignal): Promise<number> {
    return this.operations.advance(20, stopping);
  }
}

/** Marks workers that missed heartbeats (SP-37 to SP-40) and recovers the jobs of offline workers (SP-41, PB-22). */
export class StaleWorkersTask implements ScheduledTask {
  readonly name = 'stale-workers';
  readonly fullBatch = 500;

  /**
   * @param heartbeatSeconds interval of heartbeats that workers are told to use
   * @param publish sends the events of marked workers
   */
  constructor(
    private readonly db: Database,
    private readonly maintenance: Maintenance,
    private readonly heartbeatSeconds: number,
    private readonly publish: (events: EventBatch[]) => void,
  ) {}

  async run(): Promise<number> {
    const after = {
      degradedSeconds: missedHeartbeats.degraded * this.heartbeatSeconds,
      offlineSeconds: missedHeartbeats.offline * this.heartbeatSeconds,
    };
    const stale = await this.db.asSystem('mark stale workers', (tx) => markStaleWorkers(tx, after, this.fullBatch));
    this.publish(statusEvents(stale));
    // If this fails, the jobs are recovered when their leases expire.
    await this.maintenance.recoverJobsOfWorkers(stale.filter(({ status }) => status === 'offline'));
    return stale.length;
  }
}

function statusEvents(workers: StaleWorker[]): EventBatch[] {
  return workers.map(({ id, organizationId, status, markedAt }) => ({
    organizationId,
    events: [{ type: 'WorkerHeartbeat', data: { worker_id: id, status, timestamp: markedAt } }],
  }));
}

/** Adds what batches have counted to the counters of workers, so that reads of workers have few rows to add up. */
export class WorkerCountersTask implements ScheduledTask {
  readonly name = 'worker-counters';
  readonly fullBatch = 5_000;

  constructor(private readonly maintenance: Maintenance) {}

  run(): Promise<number> {
    return this.maintenance.mergeWorkerCounts(this.fullBatch);
  }
}

/** Merges the counters of hours that dashboards no longer show, and deletes such counters of dead letters. */
export class CountersTask implements ScheduledTask {
  readonly name = 'counters';
  readonly fullBatch = 10_000;

  constructor(private readonly maintenance: Maintenance) {}

  async run(): Promise<number> {
    const merged = await this.maintenance.mergeOldStats(this.fullBatch);
    return Math.max(merged, await this.maintenance.deleteOldDeadLetterCounts(this.fullBatch));
  }
}

/** Deletes command records after the few minutes in which a command may be redelivered. */
export class CommandsTask implements ScheduledTask {
  readonly name = 'commands';
  readonly fullBatch = 10_000;

  constructor(private readonly maintenance: Maintenance) {}

  run(): Promise<number> {
    return this.maintenance.deleteOldCommands(this.fullBatch);
  }
}
