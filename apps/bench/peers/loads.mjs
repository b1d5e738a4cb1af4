import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * @typedef {object} Plan
 * @property {number} payloadBytes
 * @property {number} batch - jobs in one call to enqueue
 * @property {number} producers - calls to enqueue under way at the same time
 * @property {number} ahead - jobs that producers may be ahead of workers in the whole cycle
 *
 * @typedef {(count: number) => void} Count - told jobs as soon as they are kept, or completed
 *
 * @typedef {(peer: import('./peers.mjs').Peer, plan: Plan, count: Count, stop: AbortSignal, size: number) => Promise<void>} Load
 *   works until `stop`, or until there is nothing left to do
 */

/** Bulk enqueue, `size` jobs a call. @type {Load} */
async function enqueue(peer, plan, count, stop, size) {
  const payload = payloadOf(plan.payloadBytes);
  await concurrently(plan.producers, async () => {
    while (!stop.aborted) {
      await peer.enqueue(size, payload);
      count(size);
    }
  });
}

/** Lays `size` jobs in store. @type {Load} */
async function fill(peer, plan, count, stop, size) {
  const payload = payloadOf(plan.payloadBytes);
  for (let kept = 0; kept < size && !stop.aborted; kept += plan.batch) await peer.enqueue(plan.batch, payload);
}

/** Works off the `size` jobs that are in store. @type {Load} */
async function drain(peer, plan, count, stop, size) {
  const changes = new EventEmitter();
  const over = stopped(stop);
  let left = size;
  const stopWork = await peer.work((done) => {
    count(done);
    left -= done;
    if (left <= 0) changes.emit('empty');
  });
  await Promise.race([once(changes, 'empty'), over]);
  await stopWork();
}

/** Enqueues and works off at the same time, as a closed system: producers stay at most `ahead` jobs before the workers. @type {Load} */
async function cycle(peer, plan, count, stop) {
  const payload = payloadOf(plan.payloadBytes);
  const changes = new EventEmitter().setMaxListeners(0);
  const over = stopped(stop);
  let ahead = 0;
  const stopWork = await peer.work((done) => {
    count(done);
    ahead -= done;
    changes.emit('done');
  });
  await concurrently(plan.producers, async () => {
    while (!stop.aborted) {
      if (ahead + plan.batch > plan.ahead) {
        await Promise.race([once(changes, 'done'), over]);
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

/** Counts are told every so many milliseconds, so that telling them costs nothing. */
const tellEveryMs = 25;

/** Runs a load and tells its counts in sums. */
export async function runLoad(load, peer, plan, tell, stop, size) {
  let jobs = 0;
  const flush = () => {
    if (jobs > 0) tell(jobs);
    jobs = 0;
  };
  const ticking = new AbortController();
  const ticks = (async () => {
    while (!ticking.signal.aborted) {
      await sleep(tellEveryMs);
      flush();
    }
  })();
  try {
    await load(peer, plan, (done) => (jobs += done), stop, size);
  } finally {
    ticking.abort();
    await ticks;
  }
}

const concurrently = (count, work) => Promise.all(Array.from({ length: count }, work));

const stopped = (signal) =>
  signal.aborted
    ? Promise.resolve()
    : new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));

/** A document whose JSON text has so many bytes; random letters, as the bench's own jobs have. */
function payloadOf(bytes) {
  const room = Math.max(0, bytes - JSON.stringify({ data: '' }).length);
  return { data: randomBytes(room).toString('base64url').slice(0, room) };
}
