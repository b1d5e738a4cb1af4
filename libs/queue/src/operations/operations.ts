import { type LeaseStore, type OperationKind, operationKinds } from '@spooled/contracts';
import { type Database, isStatementTimeout, oneOf, type TenantTransaction } from '@spooled/data-access';
import { partition, planLimits, type PlanLimits, type PlanOverrides, SpooledError } from '@spooled/domain';
import { setActor } from '../step/actor.js';
import { type BackgroundOptions, BlockedTenants, isOutage, lockTimeoutMs } from '../step/blocked-tenants.js';
import { EffectsBuilder } from '../step/effects.js';
import { deleteOrganizationStep } from './delete-organization.js';
import { deleteQueueStep } from './delete-queue.js';
import { cancelStep, deleteStep, moveStep, patchStep, prioritizeStep, runNowStep } from './live-jobs.js';
import {
  type ChargedProblem,
  type LockedOperation,
  type OperationStep,
  type PayloadProblem,
  type StepContext,
  type StepResult,
  toOperation,
} from './operation.js';
import {
  findDueOperations,
  type FindDueOperationsResult,
  lockOperation,
  postponeOperation,
  readPlan,
  saveProgress,
} from './operations.queries.js';
import { afterChecks } from './pace.js';
import { purgeStep } from './purge.js';
import { replayStep } from './replay.js';
import { resendStep } from './resend-deliveries.js';

export interface OperationsOptions extends Omit<BackgroundOptions, 'onBlocked'> {
  /** The operator's overrides of the plans, whose limits replays respect. */
  overrides: PlanOverrides;
  leases?: LeaseStore;
  /** Checks patched payloads; absent = none is refused. */
  problemOf?: PayloadProblem;
}

/** `failures`: steps that have failed since the last one that did not. */
type DueOperation = FindDueOperationsResult & { kind: OperationKind };

const steps: Record<OperationKind, { step: OperationStep; size: number }> = {
  'deadletter.replay': { step: replayStep, size: 200 },
  'deadletter.purge': { step: purgeStep, size: 500 },
  'job.cancel': { step: cancelStep, size: 500 },
  'job.prioritize': { step: prioritizeStep, size: 500 },
  'job.run_now': { step: runNowStep, size: 500 },
  'job.move': { step: moveStep, size: 200 },
  'job.patch': { step: patchStep, size: 200 },
  'job.delete': { step: deleteStep, size: 500 },
  'delivery.resend': { step: resendStep, size: 500 },
  'queue.delete': { step: deleteQueueStep, size: 2_000 },
  'organization.delete': { step: deleteOrganizationStep, size: 2_000 },
};

/** Half as many rows after each step that failed: with all of them a statement may take longer than it may, and each step would fail. */
const sizeOfNext = ({ kind, failures }: DueOperation): number =>
  Math.max(1, Math.floor(steps[kind].size / 2 ** failures));

const maxDays = 7;
const dayMs = 86_400_000;

/**
 * Runs operations in bounded steps. A step and its progress are one transaction, which holds the operation's row: after a crash the
 * next step continues there, and no row is processed twice.
 */
export class Operations {
  /** Organizations whose steps would hold up those of others. */
  private readonly blocked: BlockedTenants;

  constructor(
    private readonly db: Database,
    private readonly options: OperationsOptions,
  ) {
    this.blocked = new BlockedTenants(undefined, options.clock);
  }

  /**
   * One step of each operation that is due, of at most `limit`. Those of an organization whose locks another transaction holds are left
   * for some seconds, and then come after the others. Returns how many have had a step: not those whose rows others hold.
   */
  async advance(limit: number, stopping?: AbortSignal): Promise<number> {
    const except = this.blocked.list();
    const due = await this.db.asSystem('find due operations', (tx) => tx.run(findDueOperations, { limit, except }));
    let taken = 0;
    const [suspects, others] = partition(due, ({ organization_id: id }) => this.blocked.isSuspect(id));
    for (const operation of [...others, ...suspects]) {
      if (stopping?.aborted) break;
      if (this.blocked.has(operation.organization_id)) continue;
      if (await this.tryStep({ ...operation, kind: oneOf(operationKinds, operation.kind) })) taken++;
    }
    return taken;
  }

  /** An operation whose step fails does not hold up the others. Returns whether it was tried. */
  private async tryStep(ref: DueOperation): Promise<boolean> {
    try {
      return await this.stepThatFits(ref);
    } catch (error) {
      if (isStatementTimeout(error)) this.blocked.record(ref.organization_id);
      if (!isQuotaError(error)) this.options.onError(error, `a step of operation ${ref.id}`);
      await this.postpone(ref, error);
      return true;
    }
  }

  /** @throws SpooledError 503 */
  private async postpone({ id, organization_id: organizationId }: DueOperation, error: unknown): Promise<void> {
    const postponed = isQuotaError(error)
      ? { reason: `Waiting for the plan: ${error.message}`, failures: 0 }
      : { reason: 'A step failed and is tried again', failures: 1 };
    try {
      await this.db.withTenant(organizationId, (tx) => tx.run(postponeOperation, { id, ...postponed }));
    } catch (kept) {
      if (isOutage(kept)) throw kept;
      this.blocked.record(organizationId);
      this.options.onError(kept, `the postponement of operation ${id}`);
    }
  }

  /** The plan takes all jobs of a step or none, so a refused step is repeated with half as many. */
  private async stepThatFits(ref: DueOperation): Promise<boolean> {
    for (let size = sizeOfNext(ref); ; size = Math.floor(size / 2)) {
      try {
        return await this.commitStep(ref, size);
      } catch (error) {
        if (!isQuotaError(error)) throw error;
        if (size > 1) continue;
        // Takes no job, and counts how those have ended that a replay has taken before.
        await this.commitStep(ref, 0);
        throw error;
      }
    }
  }

  /** Returns whether the operation was due and no other transaction held it. */
  private async commitStep(ref: DueOperation, size: number): Promise<boolean> {
    const effects = new EffectsBuilder();
    const lockMs = this.blocked.lockMs(ref.organization_id, this.options.lockMs ?? lockTimeoutMs);
    const step = (tx: TenantTransaction) => this.step(tx, ref.id, { size, effects });
    const isTaken = await this.db.withTenant(ref.organization_id, step, { lockMs });
    await effects.leases.apply(this.options.leases);
    effects.publish(this.options);
    return isTaken;
  }

  private async step(
    tx: TenantTransaction,
    id: string,
    { size, effects }: Pick<StepContext, 'size' | 'effects'>,
  ): Promise<boolean> {
    const row = await tx.first(lockOperation, { id });
    if (!row) return false;
    const operation = toOperation(row);
    await setActor(tx, operation);
    const limits = await this.limitsOf(tx);
    let tokens = 0;
    const charge = (amount: number) => void (tokens += amount);
    const { problemOf: check = acceptAll } = this.options;
    const problemOf: ChargedProblem = (...checked) => check(...checked, charge);
    const result = isOverdue(operation)
      ? { added: {}, state: 'stopped' as const, reason: `Not finished within ${maxDays} days`, waitMs: 0 }
      : await steps[operation.kind].step(tx, operation, { size, limits, effects, problemOf });
    await effects.updateWorkflows(tx);
    await save(tx, operation, afterChecks(result, tokens, limits));
    return true;
  }

  private async limitsOf(tx: TenantTransaction): Promise<PlanLimits> {
    const plan = await tx.first(readPlan);
    return planLimits(plan?.plan_tier ?? 'free', this.options.overrides, plan?.custom_limits ?? null);
  }
}

const acceptAll: PayloadProblem = () => Promise.resolve(null);

/** Jobs of a replay succeed later, when they complete. */
const doneAtOnce = ({ kind }: LockedOperation, { processed = 0, refused = 0 }: StepResult['added']): number =>
  kind === 'deadletter.replay' ? 0 : processed - refused;

const isQuotaError = (error: unknown): error is SpooledError =>
  error instanceof SpooledError && error.code === 'QUOTA_EXCEEDED';

const isDeletion = (kind: OperationKind): boolean => kind === 'queue.delete' || kind === 'organization.delete';

/** After this wait for a plan, a stage or a rate, the caller no longer expects the operation. */
const isOverdue = ({ kind, state, createdAt, now }: LockedOperation): boolean =>
  state === 'running' && !isDeletion(kind) && now.getTime() - Date.parse(createdAt) > maxDays * dayMs;

async function save(tx: TenantTransaction, operation: LockedOperation, result: StepResult): Promise<void> {
  const { added } = result;
  await tx.run(saveProgress, {
    id: operation.id,
    state: result.state,
    processed: added.processed ?? 0,
    refused: added.refused ?? 0,
    succeeded: added.succeeded ?? doneAtOnce(operation, added),
    failed: added.failed ?? 0,
    endedOtherwise: added.endedOtherwise ?? 0,
    reason: result.reason ?? null,
    rateUsedUntil: (result.rateUsedUntil ?? operation.rateUsedUntil)?.toISOString() ?? null,
    progress: result.progress ? JSON.stringify(result.progress) : null,
    waitMs: result.waitMs,
  });
}
