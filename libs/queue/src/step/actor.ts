import {
  type ActorText,
  type CommandKind,
  type CommandOrigin,
  type OperationKind,
  systemActor,
} from '@spooled/contracts';
import type { Transaction } from '@spooled/data-access';
import { setActor as setActorSql } from './set-actor.queries.js';

/** Why a command or an operation changes jobs, as their history says it; kinds without an entry do not, or say it in their own words. */
const reasons: Partial<Record<CommandKind | OperationKind, string>> = {
  'job.cancel': 'manual',
  'job.requestCancellation': 'manual',
  'job.retry': 'manual',
  'deadletter.retry': 'dlq',
  'deadletter.replay': 'dlq',
  'workflow.cancel': 'workflow',
  'workflow.retry': 'workflow',
};

/** A task of the server that changes jobs: its name and why. */
const tasks = {
  'due-jobs': 'due',
  'lease-recovery': 'lease_expired',
  'stale-workers': 'worker_offline',
  'job-expiry': 'expired',
  dependencies: 'dependency',
} as const;
export type JobTask = keyof typeof tasks;

/**
 * Names the actor of a transaction with a single command or the step of an operation. Need not be awaited before the statements that write history: they come after
 * it on the same connection. Batched commands have many actors and write no history but of attempts, whose worker is known.
 */
export const setActor = (
  tx: Transaction,
  { actor, kind, origin }: { actor: ActorText | null; kind: CommandKind | OperationKind; origin?: CommandOrigin },
): Promise<unknown> =>
  tx.run(setActorSql, {
    actor,
    reason: reasons[kind] ?? null,
    address: origin?.address ?? null,
    userAgent: origin?.userAgent ?? null,
  });

/** As `setActor`, for a task of the server. */
export const setTaskActor = (tx: Transaction, task: JobTask): Promise<unknown> =>
  tx.run(setActorSql, { actor: systemActor(task), reason: tasks[task], address: null, userAgent: null });
