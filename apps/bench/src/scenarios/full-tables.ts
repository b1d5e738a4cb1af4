import { cycles, steadyTraffic, type TenantQueue, trafficOf } from '../load/traffic.js';
import type { Options } from '../options.js';
import type { BenchRun } from '../scenario.js';
import type { Settings, StepReport } from '../report.js';

/** Each job is three requests, so this is about the published load of 200 requests per second. */
const jobsPerSecond = 65;
export const loops = 4;
/** A p99 needs more than the few hundred operations of one window. */
const windowFactor = 3;

/** What `measureTraffic` depends on. */
export const trafficSettings = ({ payloadBytes }: Options): Settings => ({
  'payload bytes': payloadBytes,
  'jobs a second': jobsPerSecond,
  'cycle loops': loops,
});

/**
 * Runs steady traffic (open loop, for latencies) and whole cycles (closed loop, for the rate), to compare before and after a
 * change. Returns both steps in this order.
 */
export async function measureTraffic(
  bench: BenchRun,
  when: string,
  queue: string | (() => TenantQueue),
): Promise<StepReport[]> {
  const { options, measure } = bench;
  const traffic = trafficOf(bench, queue);
  const seconds = options.seconds * windowFactor;
  return [
    await measure({ name: `${when}, steady`, seconds, operationsIn: 'complete' }, (window) =>
      steadyTraffic(window, traffic, jobsPerSecond),
    ),
    await measure({ name: `${when}, cycles`, operationsIn: 'cycle' }, (window) => cycles(window, traffic, loops)),
  ];
}
