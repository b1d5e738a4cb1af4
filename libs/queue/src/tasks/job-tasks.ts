import type { EventBatch } from '@spooled/contracts';
import { type Database, markStaleWorkers, type StaleWorker } from '@spooled/data-access';
import { missedHeartbeats } from '@spooled/domain';
import type { Operations } from '../operations/operations.js';
import type { Maintenance } from '../recover/maintenance.js';
import type { Deadlines } from './deadlines.js';
import type { DeadlineTask, ScheduledTask } from './scheduled-task.js';
import type { TaskName } from './task-intervals.js';

export interface JobTaskContext {
  db: Database;
  maintenance: Maintenance;
  operations: Operations;
  deadlines: Deadlines;
  /** Interval of heartbeats that workers are told to use. */
  heartbeatSeconds: number;
  /** Sends the events of marked workers. */
  publish(events: EventBatch[]): void;
}

/** The periodic tasks of jobs, which a scheduler runs, or else embedded processes. */
export function jobTasks(context: JobTaskContext): (ScheduledTask | DeadlineTask)[] {
  const { maintenance, operations, deadlines } = context;
  const msUntilDue = () => deadlines.msUntil('job');
  return [
    // Makes scheduled and retried jobs claimable when they are due (SP-24, SP-31).
    { ...batched('due-jobs', 1_000, (limit) => maintenance.activateDue(limit)), msUntilDue },
    // Runs when the next lease expires, so that a job is claimable again within 1 s (BX-02, KF-23); a sweep every 30 s is the safety net
    // (SP-42, KF-14).
    { ...batched('lease-recovery', 500, (limit) => maintenance.recoverExpiredLeases(limit)), msUntilDue },
    // Advances replays, purges and other acts on many jobs, each by one bounded step when it is due (BX-06, BX-15). After any step the next
    // deadline is read at once: it may be a few milliseconds away.
    {
      name: 'operations',
      fullBatch: 1,
      msUntilDue: () => deadlines.msUntil('operation'),
      run: (stopping) => operations.advance(20, stopping),
    },
    // Cancels jobs whose `expires_at` passed before a worker claimed them. They are unclaimable from then on in any case.
    batched('expiry', 500, (limit) => maintenance.expireJobs(limit)),
    // Safety net for dependencies, which are normally resolved when their parent ends (SP-33, SP-51).
    batched('dependencies', 500, (limit) => maintenance.resolveOrphanedDependents(limit)),
    batched('stale-workers', 500, (limit) => endStaleWorkers(context, limit)),
    // Adds what batches have counted to the counters of workers, so that reads of workers have few rows to add up.
    batched('worker-counters', 5_000, (limit) => maintenance.mergeWorkerCounts(limit)),
    // Merges the counters of hours that dashboards no longer show, and deletes such counters of dead letters.
    batched('counters', 10_000, async (limit) => {
      const merged = await maintenance.mergeOldStats(limit);
      return Math.max(merged, await maintenance.deleteOldDeadLetterCounts(limit));
    }),
    // Deletes command records after the few minutes in which a command may be redelivered.
    batched('commands', 10_000, (limit) => maintenance.deleteOldCommands(limit)),
  ];
}

/** A task whose run processes at most `fullBatch` items. */
const batched = (name: TaskName, fullBatch: number, run: (limit: number) => Promise<number>): ScheduledTask => ({
  name,
  fullBatch,
  run: () => run(fullBatch),
});

/** Marks workers that missed heartbeats (SP-37 to SP-40) and recovers the jobs of offline workers (SP-41, PB-22). */
async function endStaleWorkers(
  { db, maintenance, heartbeatSeconds, publish }: JobTaskContext,
  limit: number,
): Promise<number> {
  const after = {
    degradedSeconds: missedHeartbeats.degraded * heartbeatSeconds,
    offlineSeconds: missedHeartbeats.offline * heartbeatSeconds,
  };
  const stale = await db.asSystem('mark stale workers', (tx) => markStaleWorkers(tx, after, limit));
  publish(statusEvents(stale));
  // If this fails, the jobs are recovered when their leases expire.
  await maintenance.recoverJobsOfWorkers(stale.filter(({ status }) => status === 'offline'));
  return stale.length;
}

function statusEvents(workers: StaleWorker[]): EventBatch[] {
  return workers.map(({ id, organizationId, status, markedAt }) => ({
    organizationId,
    events: [{ type: 'WorkerHeartbeat', data: { worker_id: id, status, timestamp: markedAt } }],
  }));
}
