import { systemClock } from '@spooled/clock';
import type { PlanOverrides } from '@spooled/domain';
import { CronTask, DueSchedules, type PayloadContracts } from '@spooled/service';
import { addMissingPartitions, type Database } from '@spooled/data-access';
import {
  Deadlines,
  type Effects,
  isSchedulerRunning,
  jobTasks,
  Maintenance,
  Operations,
  runLocked,
  type ScheduledTask,
  ScheduleFiring,
  taskIntervals,
  type TaskName,
  TaskLoop,
  TaskTurns,
  type TaskReporter,
} from '@spooled/queue';

export interface MaintenanceContext {
  overrides: PlanOverrides;
  /** The interval of heartbeats that workers are told to use. */
  heartbeatSeconds: number;
  contracts: PayloadContracts;
  /** Called after each commit that has effects. */
  onEffects(effects: Partial<Effects>): void;
  /** Called with the error of a task, which is tried again. */
  onError(error: unknown): void;
}

/** Tasks that hold connections at the same time: one for the lock and one for the work of each. */
const maxRunning = 2;
const lockPollMs = 20;
/** Nobody who waits for jobs needs their results. */
const isHousekeeping = new Set<TaskName>(['worker-counters', 'counters', 'commands', 'partitions']);
/** Connections of the maintenance role that the tasks need, with one to read deadlines. */
export const maintenanceConnections = 2 * maxRunning + 1;

/**
 * The periodic work without which jobs would stay where they are: due jobs and schedules, expired leases and jobs, dependencies, operations, stale
 * workers, counters, partitions. Of several embedded processes one runs each task at a time, and none while a scheduler runs: only that
 * one can ask Redis for leases that its services have renewed there.
 */
export class EmbeddedMaintenance {
  private readonly tasks: ScheduledTask[];
  private readonly loops: TaskLoop[];
  private readonly turns = new TaskTurns(maxRunning);

  constructor(
    private readonly db: Database,
    private readonly context: MaintenanceContext,
  ) {
    const report = this.reporter();
    this.tasks = this.newTasks();
    this.loops = this.tasks.map(
      (task) => new TaskLoop(task, taskIntervals[task.name], { db, report, random: Math.random, clock: systemClock }),
    );
  }

  start(): void {
    for (const loop of this.loops) loop.start();
  }

  /** Starts no further run, and resolves when current runs have ended. */
  async stop(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }

  /**
   * Runs each task until it finds no full batch. Waits for a run of the same task in the background: its changes are not committed yet,
   * and the rows that it holds would be skipped.
   * @param options.housekeeping whether to run the tasks that change no job as well
   * @throws the error of a task
   */
  async runAll({ housekeeping = true } = {}): Promise<void> {
    for (const task of this.tasks) {
      if (!housekeeping && isHousekeeping.has(task.name)) continue;
      while ((await this.runAlone(task)) >= task.fullBatch);
    }
  }

  private async runAlone(task: ScheduledTask): Promise<number> {
    const { signal } = new AbortController();
    for (;;) {
      const done = await runLocked(this.db, task, signal);
      if (done !== null) return done;
      await systemClock.sleep(lockPollMs);
    }
  }

  private newTasks(): ScheduledTask[] {
    const { db } = this;
    const { overrides, heartbeatSeconds, contracts, onEffects, onError } = this.context;
    const onBlocked = (organizationId: string) =>
      onError(
        Object.assign(new Error('Jobs wait for locks of other transactions; they are tried again'), { organizationId }),
      );
    const maintenance = new Maintenance(db, { onEffects, onBlocked, onError });
    const operations = new Operations(db, {
      overrides,
      onEffects,
      onError,
      problemOf: (tx, queueName, { value, text }) =>
        contracts.problemOf(
          { organizationId: tx.organizationId },
          { queueName, path: 'payload', value: () => value, text: () => text },
          tx,
        ),
    });
    const deadlines = new Deadlines(db);
    const firing = new ScheduleFiring(db, { onEffects, onBlocked, onError });
    const publish = (events: Effects['events']) => onEffects({ events });
    return [
      ...jobTasks({ db, maintenance, operations, deadlines, heartbeatSeconds, publish }),
      new CronTask(new DueSchedules(db, firing, contracts, overrides), deadlines),
      partitionsTask(db),
    ];
  }

  private reporter(): TaskReporter {
    return {
      measure: (_task, run) => this.turns.run(async () => ((await isSchedulerRunning(this.db)) ? null : run())),
      succeeded: () => undefined,
      failed: (_task, _startedAt, error) => this.context.onError(error),
    };
  }
}

/** Creates the partitions of the next weeks; those that are past are dropped by a scheduler. */
const partitionsTask = (db: Database): ScheduledTask => ({
  name: 'partitions',
  fullBatch: Infinity,
  run: (stopping) => addMissingPartitions(db, stopping, { onAdded: () => undefined, onLocked: () => undefined }),
});
