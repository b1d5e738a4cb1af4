import { cycles, lives, type Place } from '../load/traffic.js';
import type { Options } from '../options.js';
import type { BenchRun } from '../scenario.js';
import type { Settings, StepReport } from '../report.js';

/** With its claim and its completion each is three requests: about the documents' 200 requests a second. */
const livesPerSecond = 65;
const loops = 4;
/** A p99 wants more than the few hundred operations of one window. */
const steadyWindows = 3;

/** What `measureTraffic` depends on. */
export const trafficSettings = ({ payloadBytes }: Options): Settings => ({
  'payload bytes': payloadBytes,
  'lives a second': livesPerSecond,
  'cycle loops': loops,
});

/**
 * The same two loads before and after something changed: steady traffic in an open loop for the times, whole cycles in a closed
 * one for the rate. Returns both steps, in this order.
 */
export async function measureTraffic(bench: BenchRun, when: string, next: () => Place): Promise<StepReport[]> {
  const { stack, options, measure } = bench;
  const traffic = { baseUrl: stack.baseUrl, next, payloadBytes: options.payloadBytes };
  const seconds = options.seconds * steadyWindows;
  return [
    await measure({ name: `${when}, steady`, seconds, operationsIn: 'complete' }, (window) =>
      lives(window, traffic, livesPerSecond),
    ),
    await measure({ name: `${when}, cycles`, operationsIn: 'cycle' }, (window) => cycles(window, traffic, loops)),
  ];
}
