import type { EventEmitter } from 'node:events';

/** Emits 'error' if anybody listens. Without a listener Node would throw it, and the worker would end. */
export function emitError(emitter: EventEmitter<{ error: [unknown] }>, error: unknown): void {
  if (emitter.listenerCount('error') > 0) emitter.emit('error', error);
}
