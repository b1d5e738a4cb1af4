import { setTimeout as sleep } from 'node:timers/promises';
import { withConnections } from '../load/closed-loop.js';
import type { HttpConnection } from '../load/http-connection.js';
import { BacklogLimit } from '../load/backlog-limit.js';
import { ahead, producers, workers } from '../load/cycle.js';
import { bulkSize, produceBulk, TimedBulkBody } from '../load/producers.js';
import { claimJobs, completeJobs } from '../load/work-over-rest.js';
import type { Window } from '../measure/window.js';
import type { Options } from '../options.js';
import type { Settings } from '../report.js';
import type { Load, Scenario } from '../scenario.js';
import { reportRatio } from './floor.bench.js';

const queue = 'bench-cycle-rest';
/** Delay of a worker after an empty claim. */
const pauseMs = 5;

export const cycleSettings = ({ payloadBytes }: Options): Settings => ({
  'payload bytes': payloadBytes,
  producers,
  workers,
  'jobs a request': bulkSize,
  'producers ahead by at most': ahead,
});

export const cycleRest: Scenario = {
  name: 'cycle-rest',
  what: 'bulk enqueue, claim of 100, bulk completion over REST; counted when completed, measured from the send of the enqueue',
  againstFloor: true,
  settings: cycleSettings,
  async run(bench) {
    const { stack, options, measure } = bench;
    const { baseUrl, apiKey } = stack;
    const load = restCycles({ baseUrls: [baseUrl], apiKey, payloadBytes: options.payloadBytes });
    reportRatio(bench, await measure({ name: 'whole cycle' }, load));
  },
};

/** The load of this scenario, spread evenly over several gateways. */
export function restCycles(to: { baseUrls: string[]; apiKey: string; payloadBytes: number }): Load {
  const { baseUrls, apiKey } = to;
  const bulk = new TimedBulkBody(queue, to.payloadBytes);
  const callers = [...Array(producers + workers).keys()];
  return async (window) => {
    const backlog = new BacklogLimit(ahead, window.signal);
    const call = (connection: HttpConnection, caller: number) =>
      caller < producers
        ? produceBulk(connection, window, backlog, bulk)
        : work(connection, window, backlog, `worker-${caller}`);
    await Promise.all(
      baseUrls.map((baseUrl, gateway) => {
        const its = callers.filter((caller) => caller % baseUrls.length === gateway);
        return withConnections(baseUrl, apiKey, its.length, (connection, i) => call(connection, its[i]!));
      }),
    );
  };
}

async function work(connection: HttpConnection, window: Window, backlog: BacklogLimit, worker: string): Promise<void> {
  while (!window.over) {
    const jobs = await claimJobs(connection, { queue, worker, limit: bulkSize });
    if (jobs.length === 0) {
      await sleep(pauseMs);
      continue;
    }
    const completed = await completeJobs(connection, worker, jobs);
    backlog.release(jobs.length);
    for (const { payload } of jobs.slice(0, completed)) window.count(payload.at!);
    if (completed < jobs.length) window.fail('not completed', '', jobs.length - completed);
  }
}
