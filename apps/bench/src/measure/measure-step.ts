import { setTimeout as sleep } from 'node:timers/promises';
import type { StepReport } from '../report.js';
import type { Load, StepPlan } from '../scenario.js';
import { type CostMeter, costsBetween } from './cost-meter.js';
import { Window } from './window.js';

/** Runs a load: warm-up, then the window, with a reading of the costs at its start and end. @throws what the load throws */
export async function measureStep(
  plan: Required<Pick<StepPlan, 'seconds' | 'warmup'>> & StepPlan,
  meter: CostMeter,
  load: Load,
): Promise<StepReport> {
  const window = new Window();
  const running = load(window).finally(() => window.close());
  // If the load fails, the window closes, and `await running` below rethrows the error.
  running.catch(() => undefined);
  await pause(plan.warmup, window);
  const before = await meter.read();
  window.open();
  await pause(plan.seconds, window);
  window.close();
  const after = await meter.read();
  await running;
  const { name, settings = {}, operationsIn } = plan;
  const rows = window.rows();
  const counted = operationsIn === undefined ? rows : rows.filter((row) => row.name === operationsIn);
  const operations = counted.reduce((sum, { count }) => sum + count, 0);
  const costs = costsBetween(before, after, operations);
  return { name, settings, seconds: window.seconds, operations, rows, costs };
}

/** Waits for `seconds`, or until the window closes. */
async function pause(seconds: number, window: Window): Promise<void> {
  await sleep(seconds * 1_000, undefined, { signal: window.signal }).catch(() => undefined);
}
