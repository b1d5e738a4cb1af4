import type { Command, CommandKind, LeaseStore } from '@spooled/contracts';
import type { Clock } from '@spooled/domain';
import { addToBatch, cancelBatch, closeBatch, createBatch } from '../batches/batches.js';
import { cancelJob } from '../cancel/cancel.js';
import { requestCancellation } from '../cancel/request-cancellation.js';
import type { ClaimCursors } from '../claim/claim-cursor.js';
import { claimBatch } from '../claim/claim.js';
import { completeBatch, completeManyBatch } from '../complete/complete.js';
import { purgeDeadLetters, retryDeadLetters } from '../dead-letters/dead-letters.js';
import { addDependencies } from '../dependencies/add-dependencies.js';
import { enqueueBatch } from '../enqueue/enqueue.js';
import { failBatch } from '../fail/fail.js';
import { prioritizeJob } from '../prioritize/prioritize.js';
import { deleteQueue } from '../queues/delete-queue.js';
import { progressBatch } from '../progress/progress.js';
import { releaseLeases } from '../release/release.js';
import { appendLogsBatch } from '../job-logs/append-logs.js';
import { recordStepBatch } from '../job-steps/record-steps.js';
import { signalJob } from '../job-steps/signal-job.js';
import { waitInStep } from '../job-steps/wait-in-step.js';
import { renewBatch } from '../renew/renew.js';
import { retryJob } from '../retry/retry.js';
import { triggerSchedule } from '../schedules/trigger-schedule.js';
import type { BatchStep } from '../step/batch-step.js';
import type { SingleStep } from '../step/single-step.js';
import { deregisterWorker, drainWorker, recordHeartbeat, registerWorker, resumeWorker } from '../workers/workers.js';
import { cancelWorkflow } from '../workflows/cancel-workflow.js';
import { createWorkflow } from '../workflows/create-workflow.js';
import { retryWorkflow } from '../workflows/retry-workflow.js';

/** What steps need beyond their transaction. */
export interface StepContext {
  leases?: LeaseStore;
  /** Uniform random numbers in [0, 1), for jitter. */
  random: () => number;
  clock: Clock;
  cursors: ClaimCursors;
}

/** Runs together with the batched commands of all tenants, in one transaction and one statement per kind. */
interface Batched<K extends CommandKind> {
  mode: 'batched';
  step: (context: StepContext) => BatchStep<K>;
}

/** Runs in a transaction of its own. `long`: it may touch everything that a tenant has, and gets more time. */
interface Single<K extends CommandKind> {
  mode: 'single' | 'long';
  step: (context: StepContext) => SingleStep<K>;
}

type Definitions = { [K in CommandKind]: Batched<K> | Single<K> };

/**
 * How each command runs; a kind that is missing here does not compile. Batched kinds run in this order within a transaction:
 * all engines take locks in the same order, and a claim sees what was just enqueued.
 */
export const commands = {
  'job.enqueue': { mode: 'batched', step: () => enqueueBatch },
  'job.complete': { mode: 'batched', step: ({ leases }) => completeBatch(leases) },
  'job.completeMany': { mode: 'batched', step: ({ leases }) => completeManyBatch(leases) },
  'job.fail': { mode: 'batched', step: ({ leases, random }) => failBatch(random, leases) },
  'job.renew': { mode: 'batched', step: ({ leases, clock }) => renewBatch(clock, leases) },
  'job.progress': { mode: 'batched', step: ({ leases }) => progressBatch(leases) },
  'job.appendLogs': { mode: 'batched', step: ({ leases }) => appendLogsBatch(leases) },
  'job.recordStep': { mode: 'batched', step: ({ leases }) => recordStepBatch(leases) },
  'job.claim': { mode: 'batched', step: ({ cursors }) => claimBatch(cursors) },
  'job.release': { mode: 'single', step: ({ leases }) => releaseLeases(leases) },
  'job.wait': { mode: 'single', step: ({ leases }) => waitInStep(leases) },
  'job.signal': { mode: 'single', step: () => signalJob },
  'job.cancel': { mode: 'single', step: () => cancelJob },
  'job.requestCancellation': { mode: 'single', step: ({ leases }) => requestCancellation(leases) },
  'job.retry': { mode: 'single', step: () => retryJob },
  'job.addDependencies': { mode: 'single', step: () => addDependencies },
  'job.prioritize': { mode: 'single', step: () => prioritizeJob },
  'deadletter.retry': { mode: 'long', step: () => retryDeadLetters },
  'deadletter.purge': { mode: 'long', step: () => purgeDeadLetters },
  'queue.delete': { mode: 'long', step: () => deleteQueue },
  'schedule.trigger': { mode: 'single', step: () => triggerSchedule },
  'workflow.create': { mode: 'long', step: () => createWorkflow },
  'workflow.cancel': { mode: 'long', step: () => cancelWorkflow },
  'workflow.retry': { mode: 'long', step: () => retryWorkflow },
  'batch.create': { mode: 'single', step: () => createBatch },
  'batch.add': { mode: 'single', step: () => addToBatch },
  'batch.close': { mode: 'single', step: () => closeBatch },
  'batch.cancel': { mode: 'single', step: () => cancelBatch },
  'worker.register': { mode: 'single', step: () => registerWorker },
  'worker.heartbeat': { mode: 'single', step: () => recordHeartbeat },
  'worker.drain': { mode: 'single', step: () => drainWorker },
  'worker.resume': { mode: 'single', step: () => resumeWorker },
  'worker.deregister': { mode: 'single', step: () => deregisterWorker },
} as const satisfies Definitions;

type KindOfMode<M extends string> = {
  [K in CommandKind]: (typeof commands)[K] extends { mode: M } ? K : never;
}[CommandKind];
export type BatchedKind = KindOfMode<'batched'>;
export type SingleKind = KindOfMode<'single' | 'long'>;

const isBatchedKind = (kind: CommandKind): kind is BatchedKind => commands[kind].mode === 'batched';

export const batchedKinds: readonly BatchedKind[] = (Object.keys(commands) as CommandKind[]).filter(isBatchedKind);

export const isBatched = (command: Pick<Command, 'kind'>): boolean => isBatchedKind(command.kind);
