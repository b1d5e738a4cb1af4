import { allowanceOf, type PlanLimits } from '@spooled/domain';
import type { LockedOperation, StepResult } from './operation.js';

/** Between two steps of an operation without a rate, so that other transactions come in between. */
const pauseMs = 20;
const shortestWaitMs = 100;
/** Before another attempt at rows that others hold. */
const lockedWaitMs = 1_000;

/** How many rows an operation may take in this step. */
export function allowedNow({ settings, rateUsedUntil, now }: LockedOperation, most: number): number {
  return settings.per_second ? allowanceOf(settings.per_second, rateUsedUntil, now, most).count : most;
}

/** The result of a step that took `taken` rows. The last one ends the operation, so that an undo never comes when all is done. */
export const afterStep = (
  operation: LockedOperation,
  taken: number,
  { added, hasMore, waitMs = null }: { added: StepResult['added']; hasMore: boolean; waitMs?: number | null },
): StepResult => (hasMore ? stillRunning(operation, taken, added) : { added, state: 'completed', waitMs });

/** The result of a step that could take no row: `hasMore` whether others hold some, for which it waits. */
export const endOrWait = (
  added: StepResult['added'],
  { hasMore, waitMs = null }: { hasMore: boolean; waitMs?: number | null },
): StepResult => (hasMore ? { added, state: 'running', waitMs: lockedWaitMs } : { added, state: 'completed', waitMs });

/** The result of a step that has only passed over rows, which costs nothing of its rate. */
export const passing: StepResult = { added: {}, state: 'running', waitMs: pauseMs };

/** The result of a step that took `taken` rows and is not the last. */
export function stillRunning(
  { settings, rateUsedUntil, now }: LockedOperation,
  taken: number,
  added: StepResult['added'],
): StepResult {
  if (!settings.per_second) return { added, state: 'running', waitMs: pauseMs };
  const { usedUntil } = allowanceOf(settings.per_second, rateUsedUntil, now, taken);
  const waitMs = Math.max(shortestWaitMs, 1000 / settings.per_second);
  return { added, state: 'running', waitMs, rateUsedUntil: usedUntil };
}

const reasonOfChecks =
  'Its payloads take long to check: the next step waits as long as the rate of the plan needs for it';

/**
 * The result of a step whose checks of payloads have cost tokens. No request can be refused for them, so the next step waits until the
 * plan's rate has them. The organization's bucket is not touched: a replay must not use up the rate of its producers.
 */
export function afterChecks(result: StepResult, tokens: number, limits: PlanLimits): StepResult {
  if (tokens === 0 || result.state !== 'running' || result.waitMs === null) return result;
  const waitMs = (tokens * 1_000) / Math.max(1, limits.rate_limit_requests_per_second);
  return waitMs > result.waitMs ? { ...result, waitMs, reason: result.reason ?? reasonOfChecks } : result;
}
