import type { EventEmitter } from 'node:events';
import { errorLine, messageOf } from './thrown.js';

const logIntervalMs = 60_000;
const loggedAt = new WeakMap<object, Map<string, number>>();

/**
 * Emits 'error' if anybody listens. Without a listener Node would throw it, and the worker would end: it is logged instead, at most
 * once a minute per cause.
 *
 * @param now monotonic milliseconds
 */
export function emitError(
  emitter: EventEmitter<{ error: [unknown] }>,
  error: unknown,
  now: number,
  log: (error: unknown) => void = logError,
): void {
  if (emitter.listenerCount('error') > 0) emitter.emit('error', error);
  else if (isDue(emitter, causeOf(error), now)) log(error);
}

function isDue(emitter: object, cause: string, now: number): boolean {
  const times = loggedAt.get(emitter) ?? new Map<string, number>();
  loggedAt.set(emitter, times);
  // The map holds the causes of the last minute only.
  for (const [other, at] of times) if (now - at >= logIntervalMs) times.delete(other);
  if (times.has(cause)) return false;
  times.set(cause, now);
  return true;
}

/** Texts name ids and addresses, so a code is preferred. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return messageOf(error);
  const { code } = error as { code?: unknown };
  return `${error.name} ${typeof code === 'string' ? code : messageOf(error)}`;
}

function logError(error: unknown): void {
  // A library has no logger of its own, and silence would hide a revoked key.
  // oxlint-disable-next-line no-console
  console.error(`spooled: ${errorLine(error)}`);
}
