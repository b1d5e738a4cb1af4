import {
  type ActorText,
  type JsonText,
  type OperationKind,
  operationKinds,
  operationFilter,
  type OperationFilter,
  operationSettings,
  type OperationSettings,
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
export interface LockedOperation {
  id: string;
  kind: OperationKind;
  /** Who asked for it. */
  actor: ActorText | null;
  state: OperationState;
  /** Queues that it may touch; empty = all. */
  scope: string[];
  filter: OperationFilter;
  settings: OperationSettings;
  payloadPatch: JsonText | null;
  counts: OperationCounts;
  reason: string | null;
  createdAt: string;
  endedAt: Date | null;
  rateUsedUntil: Date | null;
  /** As the step before left it; null at the beginning. */
  progress: unknown;
  now: Date;
}

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

export const toOperation = (row: LockOperationResult): LockedOperation => ({
  id: row.id,
  kind: oneOf(operationKinds, row.kind),
  actor: row.actor,
  state: oneOf(operationStates, row.state),
  scope: row.queues,
  filter: operationFilter.parse(row.filter),
  settings: operationSettings.parse(row.settings),
  payloadPatch: row.payload_patch,
  counts: {
    processed: row.processed,
    refused: row.refused,
    succeeded: row.succeeded,
    failed: row.failed,
    endedOtherwise: row.ended_otherwise,
  },
  reason: row.reason,
  createdAt: row.created_at,
  endedAt: row.ended_at === null ? null : new Date(row.ended_at),
  rateUsedUntil: row.rate_used_until === null ? null : new Date(row.rate_used_until),
  progress: row.progress,
  now: new Date(row.now),
});
