import { systemClock } from '@spooled/clock';
import type { Clock } from '@spooled/domain';

/** Caches the result of `read` for `forMs`. Concurrent callers share one call; errors are not cached. */
export function cached<T>(forMs: number, read: () => Promise<T>, clock: Clock = systemClock): () => Promise<T> {
  let last: { at: number; value: Promise<T> } | undefined;
  return () => {
    if (last && clock.monotonic() - last.at < forMs) return last.value;
    const one = { at: clock.monotonic(), value: read() };
    last = one;
    one.value.catch(() => {
      if (last === one) last = undefined;
    });
    return one.value;
  };
}
