import { systemClock } from '@spooled/clock';
import { eventually } from './eventually.js';

/**
 * The clock of the system, but these timers end when told to, and repeated ones run: a spec needs no lease that ends within seconds, which
 * a busy machine loses.
 */
export function clockWithTimers(areTold: (ms: number) => boolean) {
  const timers = new Map<() => void, ReturnType<typeof systemClock.after>>();
  const repeated = new Set<() => void>();
  const after: typeof systemClock.after = (ms, run) => {
    const timer = systemClock.after(ms, run);
    if (areTold(ms)) timers.set(run, timer);
    return timer;
  };
  const every: typeof systemClock.every = (ms, run) => {
    const timer = systemClock.every(ms, run);
    if (areTold(ms)) repeated.add(run);
    return timer;
  };
  const endTimers = () => {
    for (const [run, timer] of [...timers]) {
      timers.delete(run);
      timer.cancel();
      run();
    }
    for (const run of repeated) run();
  };
  return { clock: { ...systemClock, after, every }, endTimers };
}

/** Of a worker in a spec that ends the renewals: so long that the timers of renewals, at half or a third of it, are none of the others. */
export const toldLeaseSeconds = 3_600;
/** Of its jobs: no lease reaches beyond the time that an attempt may take. */
export const toldTimeoutSeconds = 2 * toldLeaseSeconds;
export const isRenewal = (ms: number): boolean => ms > toldLeaseSeconds * 300 && ms <= toldLeaseSeconds * 500;

/** Ends the timers, which may not have begun, until something has happened. */
export async function endTimersUntil(happened: Promise<unknown>, endTimers: () => void): Promise<void> {
  let isOver = false;
  void happened.then(() => (isOver = true));
  await eventually(() => {
    endTimers();
    expect(isOver).toBe(true);
  });
}
