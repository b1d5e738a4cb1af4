import { useSyncExternalStore } from 'react';
import { serverNow } from './server-time';

const listeners = new Set<() => void>();
let now = serverNow();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  if (document.hidden) return;
  now = serverNow();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The server's current time in milliseconds, once per second; one timer for the whole page, which rests while it is hidden. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);
