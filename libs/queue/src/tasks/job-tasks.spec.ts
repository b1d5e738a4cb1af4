import type { Database } from '@spooled/data-access';
import type { Operations } from '../operations/operations.js';
import type { Maintenance } from '../recover/maintenance.js';
import type { Deadlines } from './deadlines.js';
import { jobTasks, type JobTaskContext } from './job-tasks.js';
import type { DeadlineTask } from './scheduled-task.js';

const never = new AbortController().signal;

/** A maintenance whose work processes as many rows as it may, and what it was asked for. */
function maintenanceOf(found: Record<string, number> = {}) {
  const asked: [work: string, limit: unknown][] = [];
  const work = (name: string) => (limit: unknown) => {
    asked.push([name, limit]);
    return Promise.resolve(found[name] ?? limit);
  };
  const maintenance = new Proxy({}, { get: (_, name) => work(String(name)) }) as Maintenance & Operations;
  return { maintenance, asked };
}

describe('the periodic tasks of jobs', () => {
  const until: Record<string, number> = { job: 17, operation: 29 };
  const deadlines = { msUntil: (kind: string) => Promise.resolve(until[kind]) } as Deadlines;
  const taskOf = (name: string, context: Partial<JobTaskContext>) =>
    jobTasks({ deadlines, heartbeatSeconds: 10, ...context } as JobTaskContext).find((task) => task.name === name)!;

  /** Locks have these names: two versions that run beside each other must not run a task at once. */
  const tasks: [name: string, work: string[]][] = [
    ['due-jobs', ['activateDue']],
    ['lease-recovery', ['recoverExpiredLeases']],
    ['expiry', ['expireJobs']],
    ['dependencies', ['resolveOrphanedDependents']],
    ['worker-counters', ['mergeWorkerCounts']],
    ['counters', ['mergeOldStats', 'deleteOldDeadLetterCounts']],
    ['commands', ['deleteOldCommands']],
  ];

  it.each(tasks)('%s asks for a full batch, after which it is run again at once', async (name, work) => {
    const { maintenance, asked } = maintenanceOf();
    const task = taskOf(name, { maintenance });
    expect([task.name, await task.run(never)]).toEqual([name, task.fullBatch]);
    expect(task.fullBatch).toBeGreaterThan(0);
    expect(asked).toEqual(work.map((one) => [one, task.fullBatch]));
  });

  it.each(['mergeOldStats', 'deleteOldDeadLetterCounts'])(
    'counters are run again at once for more of %s',
    async (work) => {
      const { maintenance } = maintenanceOf({ mergeOldStats: 0, deleteOldDeadLetterCounts: 0, [work]: 10_000 });
      expect(await taskOf('counters', { maintenance }).run(never)).toBe(10_000);
    },
  );

  it('operations look for the next deadline after any step, and stop between two', async () => {
    const asked: unknown[][] = [];
    const advance = (...args: unknown[]) => Promise.resolve(asked.push(args));
    const task = taskOf('operations', { operations: { advance } as unknown as Operations }) as DeadlineTask;
    expect([task.name, task.fullBatch, await task.run(never)]).toEqual(['operations', 1, 1]);
    expect(asked).toEqual([[20, never]]);
    expect(await task.msUntilDue()).toBe(29);
  });

  it.each([tasks[0]!, tasks[1]!])('%s is due with the next job or lease', async (name) => {
    expect(await (taskOf(name, maintenanceOf()) as DeadlineTask).msUntilDue()).toBe(17);
  });

  it('stale workers: those that went offline lose their jobs, after an event for each worker', async () => {
    const told: string[] = [];
    const marked = ['offline', 'degraded'].map((status, n) => {
      return { id: `w${n}`, organizationId: 'org', status, markedAt: '2030-01-01T00:00:00Z' };
    });
    const db = { asSystem: () => Promise.resolve(marked) } as unknown as Database;
    const recoverJobsOfWorkers = (workers: { id: string }[]) =>
      Promise.resolve(told.push(...workers.map(({ id }) => id)));
    const maintenance = { recoverJobsOfWorkers } as unknown as Maintenance;
    const publish: JobTaskContext['publish'] = (batches) =>
      void told.push(...batches.map(({ events }) => events[0]!.type));
    const task = taskOf('stale-workers', { db, maintenance, publish });
    expect([task.name, await task.run(never)]).toEqual(['stale-workers', 2]);
    expect(told).toEqual(['WorkerHeartbeat', 'WorkerHeartbeat', 'w0']);
  });
});
