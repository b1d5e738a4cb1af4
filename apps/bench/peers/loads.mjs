import { EventEmitter, once } from 'node:events';
import { payloadOf } from '../src/load/payload.ts';

/**
 * @typedef {object} Plan
 * @property {number} payloadBytes
 * @property {number} batch - jobs per call to enqueue
 * @property {number} producers - concurrent calls to enqueue
 * @property {number} ahead - jobs that producers may be ahead of workers in `cycle`
 *
 * @typedef {(count: number) => void} Count - called with the number of jobs enqueued or completed
 *
 * @typedef {(peer: import('./peers.mjs').Peer, plan: Plan, count: Count, stop: AbortSignal, size: number) => Promise<void>} Load
 *   runs until `stop`, or until there is nothing left to do
 */

/** Bulk enqueue, `size` jobs per call. @type {Load} */
async function enqueue(peer, plan, count, stop, size) {
  const payload = payloadOf(plan.payloadBytes);
  await concurrently(plan.producers, async () => {
    while (!stop.aborted) {
      await peer.enqueue(size, payload);
      count(size);
    }
  });
}

/** Enqueues a backlog of `size` jobs. @type {Load} */
async function fill(peer, plan, count, stop, size) {
  const payload = payloadOf(plan.payloadBytes);
  for (let enqueued = 0; enqueued < size && !stop.aborted; enqueued += plan.batch)
    await peer.enqueue(plan.batch, payload);
}

/** Processes a backlog of `size` jobs. @type {Load} */
async function drain(peer, plan, count, stop, size) {
  const ended = Promise.withResolvers();
  stop.addEventListener('abort', ended.resolve);
  let left = size;
  const stopWork = await peer.work((done) => {
    count(done);
    left -= done;
    if (left <= 0) ended.resolve();
  });
  await ended.promise;
  await stopWork();
}

/** Enqueues and processes concurrently; producers are at most `ahead` jobs ahead of the workers. @type {Load} */
async function cycle(peer, plan, count, stop) {
  const payload = payloadOf(plan.payloadBytes);
  const changes = new EventEmitter().setMaxListeners(0);
  let ahead = 0;
  const stopWork = await peer.work((done) => {
    count(done);
    ahead -= done;
    changes.emit('done');
  });
  await concurrently(plan.producers, async () => {
    while (!stop.aborted) {
      if (ahead + plan.batch > plan.ahead) {
        await once(changes, 'done', { signal: stop }).catch(() => undefined);
        continue;
      }
      ahead += plan.batch;
      await peer.enqueue(plan.batch, payload);
    }
  });
  await stopWork();
}

/** @type {Record<string, Load>} */
export const loads = { enqueue, fill, drain, cycle };

/** Interval of reports: one per job would cost CPU time. */
const reportEveryMs = 25;

/** Runs a load and reports its counts at intervals. */
export async function runLoad(load, peer, plan, report, stop, size) {
  let jobs = 0;
  const flush = () => {
    if (jobs > 0) report(jobs);
    jobs = 0;
  };
  const timer = setInterval(flush, reportEveryMs);
  try {
    await load(peer, plan, (done) => (jobs += done), stop, size);
  } finally {
    clearInterval(timer);
    flush();
  }
}

const concurrently = (count, work) => Promise.all(Array.from({ length: count }, work));
