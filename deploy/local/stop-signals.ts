/**
 * Calls `stop` on the first signal that ends a process, and `stopAtOnce` on a later one. Signals within one second count as one: Ctrl-C also
 * reaches npm, which forwards it.
 */
export function onStopSignals(stop: (signal: NodeJS.Signals) => void, stopAtOnce: () => void): void {
  let firstAt: number | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (firstAt === undefined) {
      firstAt = Date.now();
      stop(signal);
    } else if (Date.now() - firstAt >= 1_000) stopAtOnce();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
}
