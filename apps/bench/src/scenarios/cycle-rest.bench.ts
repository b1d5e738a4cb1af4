import { setTimeout as sleep } from 'node:timers/promises';
import { withLanes } from '../load/closed-loop.js';
import type { HttpConnection } from '../load/http-connection.js';
import { Lead } from '../load/lead.js';
import { bulkSize, TimedBulkBody } from '../load/producers.js';
import { claimJobs, completeJobs } from '../load/work-over-rest.js';
import type { Window } from '../measure/window.js';
import type { Scenario } from '../scenario.js';
import { tellRatio } from './floor.bench.js';

const queue = 'bench-cycle-rest';
const producers = 4;
const workers = 8;
const ahead = 4_000;
/** A worker that got nothing asks again after so long. */
const pauseMs = 5;

export const cycleRest: Scenario = {
  name: 'cycle-rest',
  what: 'bulk enqueue, claim of 100, bulk completion over REST; counted when completed, timed from the send of the enqueue',
  againstFloor: true,
  settings: ({ payloadBytes }) => ({
    'payload bytes': payloadBytes,
    producers,
    workers,
    'jobs a request': bulkSize,
    'producers ahead by at most': ahead,
  }),
  async run(bench) {
    const { stack, options, measure } = bench;
    const { baseUrl, apiKey } = stack;
    const bulk = new TimedBulkBody(queue, options.payloadBytes);
    const step = await measure({ name: 'whole cycle' }, async (window) => {
      const lead = new Lead(ahead, window.signal);
      await withLanes(baseUrl, apiKey, producers + workers, (lane, i) =>
        i < producers ? produce(lane, window, lead, bulk) : work(lane, window, lead, `worker-${i}`),
      );
    });
    tellRatio(bench, step);
  },
};

async function produce(lane: HttpConnection, window: Window, lead: Lead, bulk: TimedBulkBody): Promise<void> {
  while (await lead.take(bulkSize)) {
    const { status, body } = await lane.post('/api/v1/jobs/bulk', bulk.at(performance.now()));
    if (status < 400) continue;
    lead.done(bulkSize);
    window.fail(`${status} ${body.slice(0, 120)}`, '', bulkSize);
  }
}

async function work(lane: HttpConnection, window: Window, lead: Lead, worker: string): Promise<void> {
  while (!window.over) {
    const jobs = await claimJobs(lane, { queue, worker, limit: bulkSize });
    if (jobs.length === 0) {
      await sleep(pauseMs);
      continue;
    }
    const completed = await completeJobs(lane, worker, jobs);
    lead.done(jobs.length);
    for (const { payload } of jobs.slice(0, completed)) window.count(payload.at!);
    if (completed < jobs.length) window.fail('not completed', '', jobs.length - completed);
  }
}
