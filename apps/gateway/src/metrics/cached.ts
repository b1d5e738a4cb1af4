/** Caches the result of `read` for `forMs`. Concurrent callers share one call; errors are not cached. */
export function cached<T>(forMs: number, read: () => Promise<T>): () => Promise<T> {
  let last: { at: number; value: Promise<T> } | undefined;
  return () => {
    if (last && performance.now() - last.at < forMs) return last.value;
    const one = { at: performance.now(), value: read() };
    last = one;
    one.value.catch(() => {
      if (last === one) last = undefined;
    });
    return one.value;
  };
}
