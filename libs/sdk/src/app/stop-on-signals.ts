/**
 * Stops at the first of these signals. The process then ends by the same signal, as it would have without a listener, unless it has
 * others, which end it themselves.
 * @returns removes the listeners
 */
export function stopOnSignals(
  signals: NodeJS.Signals[],
  stop: () => Promise<void>,
  onError: (error: unknown) => void,
): () => void {
  const forget = () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
  const onSignal = (signal: NodeJS.Signals) => {
    forget();
    stop()
      .catch(onError)
      .finally(() => {
        if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
      });
  };
  for (const signal of signals) process.on(signal, onSignal);
  return forget;
}
