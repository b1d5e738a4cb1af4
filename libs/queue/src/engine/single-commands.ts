import type { Command, CommandKind, CommandOf, LeaseStore, Outcome } from '@spooled/contracts';
import { type Database, lengthy, type TenantTransaction, toDatabaseError } from '@spooled/data-access';
import { SpooledError } from '@spooled/domain';
import { cancelJob } from '../cancel/cancel.js';
import { purgeDeadLetters, retryDeadLetters } from '../dead-letters/dead-letters.js';
import { addDependencies } from '../dependencies/add-dependencies.js';
import { prioritizeJob } from '../prioritize/prioritize.js';
import { deleteQueue } from '../queues/delete-queue.js';
import { releaseLeases } from '../release/release.js';
import { retryJob } from '../retry/retry.js';
import { triggerSchedule } from '../schedules/trigger-schedule.js';
import { recordHeartbeat, deregisterWorker, registerWorker } from '../workers/workers.js';
import { cancelWorkflow } from '../workflows/cancel-workflow.js';
import { createWorkflow } from '../workflows/create-workflow.js';
import { retryWorkflow } from '../workflows/retry-workflow.js';
import { retryAfterConflict, type PreviousRun } from './conflict-retry.js';
import { refused, succeeded } from '../step/batch-step.js';
import { loggedOutcomes, logOutcomes, logRefusal } from '../step/command-log.js';
import { EffectsBuilder } from '../step/effects.js';
import type { SingleKind } from './kinds.js';
import type { SingleStep } from '../step/single-step.js';

/** They may touch all that a tenant has; each runs beside the batches, in a transaction of its own. */
const lengthyKinds: ReadonlySet<CommandKind> = new Set<SingleKind>([
  'queue.delete',
  'deadletter.retry',
  'deadletter.purge',
  'workflow.create',
  'workflow.cancel',
  'workflow.retry',
]);

export interface SingleCommandsOptions {
  leases?: LeaseStore;
  /** Called after each commit; must not throw. */
  onEffects(effects: EffectsBuilder): void;
  /** Told about failures that callers see only as a plain 500 or 503. */
  onError?(error: unknown, what: string): void;
}

/** A step whose kind is known only at run time; the map below is checked kind by kind where it is written. */
type AnySingleStep = SingleStep<CommandKind>;

/** Runs commands of the kinds that are too rare to batch, each in a transaction of its own, and records what became of it. */
export class SingleCommands {
  private readonly steps: { [K in SingleKind]: SingleStep<K> } = {
    'job.release': (...step) => releaseLeases(this.options.leases)(...step),
    'job.cancel': cancelJob,
    'job.retry': retryJob,
    'job.depend': addDependencies,
    'job.prioritize': prioritizeJob,
    'deadletter.retry': retryDeadLetters,
    'deadletter.purge': purgeDeadLetters,
    'queue.delete': deleteQueue,
    'schedule.trigger': triggerSchedule,
    'workflow.create': createWorkflow,
    'workflow.cancel': cancelWorkflow,
    'workflow.retry': retryWorkflow,
    'worker.register': registerWorker,
    'worker.heartbeat': recordHeartbeat,
    'worker.deregister': deregisterWorker,
  };

  constructor(
    private readonly db: Database,
    private readonly options: SingleCommandsOptions,
  ) {}

  /** Never rejects. */
  async run(command: Command): Promise<Outcome> {
    try {
      const run = (earlier: PreviousRun) => this.commit(command, earlier !== 'none' || command.redelivered === true);
      return await retryAfterConflict(run, this.options.onError);
    } catch (error) {
      const isRefusal = error instanceof SpooledError && error.status < 500;
      if (!isRefusal) this.options.onError?.(error, command.kind);
      const refusal = refused(toDatabaseError(error));
      if (isRefusal && command.redelivered) await this.logRefusal(command, refusal);
      return refusal;
    }
  }

  /** @param repeated whether the command may have run before */
  private async commit(command: Command, repeated: boolean): Promise<Outcome> {
    const effects = new EffectsBuilder();
    const step = this.steps[command.kind as SingleKind] as unknown as AnySingleStep;
    const work = async (tx: TenantTransaction) => {
      const before = repeated ? (await loggedOutcomes(tx, [command])).get(command.id) : undefined;
      if (before) return before;
      const result = succeeded(await step(tx, command as CommandOf<CommandKind>, effects));
      await effects.workflows.settle(tx);
      await logOutcomes(tx, [{ command, outcome: result }]);
      return result;
    };
    const limits = lengthyKinds.has(command.kind) ? lengthy : undefined;
    const outcome = await this.db.withTenant(command.organizationId, work, limits);
    await effects.leases.apply(this.options.leases);
    this.options.onEffects(effects);
    return outcome;
  }

  /** Its first run, should it still come, must not do what the caller was told is refused. */
  private async logRefusal(command: Command, outcome: Outcome): Promise<void> {
    await this.db
      .withTenant(command.organizationId, (tx) => logRefusal(tx, command, outcome))
      .catch((error: unknown) => this.options.onError?.(error, `the refusal of a ${command.kind}`));
  }
}
