import {
  operationFilter,
  operationKinds,
  operationSettings,
  type OperationState,
  operationStates,
} from '@spooled/contracts';
import { oneOf, type TenantTransaction } from '@spooled/data-access';
import type { PlanLimits } from '@spooled/domain';
import type { EffectsBuilder } from '../step/effects.js';
import type { LockOperationResult } from './operations.queries.js';

/** How many jobs an operation has had, and how the replayed ones have ended. */
export interface OperationCounts {
  processed: number;
  refused: number;
  succeeded: number;
  failed: number;
  endedOtherwise: number;
}

/** An operation whose row the transaction of a step has locked. */
export type LockedOperation = ReturnType<typeof toOperation>;

/** The result of one step: what to add to the counts, and what comes next. */
export interface StepResult {
  added: Partial<OperationCounts>;
  state: OperationState;
  /** Milliseconds until the next step; null: there is none. */
  waitMs: number | null;
  /** Why it was stopped, or what it waits for. */
  reason?: string | null;
  rateUsedUntil?: Date | null;
  /** Where the next step continues; absent = as it was. */
  progress?: object;
}

/** Why a job of a queue may not get a payload; null if it may. `charge` takes tokens of the plan's rate for what the check has cost. */
export type PayloadProblem = (
  tx: TenantTransaction,
  queueName: string,
  payload: { value: unknown; text: string },
  charge: (tokens: number) => void,
) => Promise<string | null>;

/** A `PayloadProblem` that knows who is charged. */
export type ChargedProblem = (
  ...checked: Parameters<PayloadProblem> extends [...infer Checked, unknown] ? Checked : never
) => Promise<string | null>;

export interface StepContext {
  /** At most this many rows. */
  size: number;
  limits: PlanLimits;
  effects: EffectsBuilder;
  problemOf: ChargedProblem;
}

/** One bounded step of an operation, in one transaction of its organization. */
export type OperationStep = (
  tx: TenantTransaction,
  operation: LockedOperation,
  context: StepContext,
) => Promise<StepResult>;

export const toOperation = ({ rateUsedUntil, now, ...row }: LockOperationResult) => ({
  ...row,
  kind: oneOf(operationKinds, row.kind),
  state: oneOf(operationStates, row.state),
  filter: operationFilter.parse(row.filter),
  settings: operationSettings.parse(row.settings),
  rateUsedUntil: rateUsedUntil === null ? null : new Date(rateUsedUntil),
  now: new Date(now),
});
