import { parseActor, queueSchemas } from '@spooled/contracts';
import type { PauseRow } from '@spooled/data-access';
import { invalidField } from '@spooled/domain';

export interface PausedQueue {
  pausedAt: string;
  /** Null: until it is resumed. */
  expiresAt: string | null;
}

const { longestPauseSeconds } = queueSchemas;

/**
 * When a pause expires; null: never.
 * @param now the database's time, because its clock ends the pause
 * @throws SpooledError 400 in the past, or too far ahead
 */
export function expiryOf(
  { expires_at: expiresAt, duration_seconds: seconds }: queueSchemas.PauseQueueBody,
  now: string,
): string | null {
  const nowMs = Date.parse(now);
  if (typeof seconds === 'number') return new Date(nowMs + seconds * 1_000).toISOString();
  if (typeof expiresAt !== 'string') return null;
  const ms = Date.parse(expiresAt);
  if (ms <= nowMs) throw invalidField('expires_at', 'must be in the future');
  if (ms > nowMs + longestPauseSeconds * 1_000) throw invalidField('expires_at', 'must be at most 30 days ahead');
  return new Date(ms).toISOString();
}

/** `paused_at` is a member of the settings, which callers may overwrite with anything. */
export function toPauseResponse(pause: PauseRow): queueSchemas.QueueDetail['pause'] {
  const pausedMs = Date.parse(pause.paused_at ?? '');
  return {
    paused_at: Number.isNaN(pausedMs) ? null : new Date(pausedMs).toISOString(),
    reason: pause.reason,
    expires_at: pause.pause_expires_at,
    paused_by: parseActor(pause.paused_by),
  };
}
