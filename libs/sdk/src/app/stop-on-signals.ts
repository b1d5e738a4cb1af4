/** What has to stop at a signal. */
const stops = new Map<NodeJS.Signals, Set<() => Promise<void>>>();

/**
 * Stops at the first of these signals. When all that it stops have stopped, the process ends by the same signal, as it would have without
 * a listener, unless it has others, which end it themselves.
 * @returns stops at them no longer
 */
export function stopOnSignals(
  signals: NodeJS.Signals[],
  stop: () => Promise<void>,
  onError: (error: unknown) => void,
): () => void {
  const one = () => stop().catch(onError);
  for (const signal of signals) {
    const all = stops.get(signal) ?? new Set();
    // Before those of the application: one that listens once is gone when it has heard the signal.
    if (all.size === 0) process.prependListener(signal, onSignal);
    stops.set(signal, all.add(one));
  }
  return () => {
    for (const signal of signals) if (stops.get(signal)?.delete(one)) forgetEmpty(signal);
  };
}

function onSignal(signal: NodeJS.Signals): void {
  const all = [...(stops.get(signal) ?? [])];
  stops.get(signal)?.clear();
  forgetEmpty(signal);
  const hasOthers = process.listenerCount(signal) > 0;
  void Promise.all(all.map((stop) => stop())).finally(() => {
    if (!hasOthers && process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  });
}

function forgetEmpty(signal: NodeJS.Signals): void {
  if (stops.get(signal)?.size === 0) process.off(signal, onSignal);
}
