import { EventEmitter, once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * @typedef {object} Plan
 * @property {number} seconds - how long each figure is measured
 * @property {number} warmup - seconds before that, not counted
 * @property {number} payloadBytes
 * @property {number} batch - jobs in one call to enqueue
 * @property {number} producers - calls to enqueue under way at the same time
 * @property {number} backlog - jobs that wait when processing is measured
 * @property {number} ahead - jobs that producers may be ahead of workers in the whole cycle
 *
 * @typedef {{ name: string, jobs: number, seconds: number, rate: number }} Figure
 */

/** Bulk enqueue: as many calls under way as there are producers. */
export async function measureEnqueue(peer, plan, tell) {
  for (const batch of [plan.batch, plan.batch * 10]) {
    const payload = payloadOf(plan.payloadBytes);
    const window = openWindow(plan);
    await concurrently(plan.producers, async () => {
      while (!window.over()) {
        await peer.enqueue(batch, payload);
        window.count(batch);
      }
    });
    tell({ name: `enqueue, ${batch} a call`, ...window.result() });
  }
}

/**
 * Working off a backlog that was there before the workers started; the first tenth is the warm-up. The backlog has a fixed
 * size, because a peer's rate may depend on it.
 */
export async function measureProcessing(peer, plan, tell) {
  const payload = payloadOf(plan.payloadBytes);
  for (let kept = 0; kept < plan.backlog; kept += plan.batch) await peer.enqueue(plan.batch, payload);
  const changes = new EventEmitter();
  const warm = plan.backlog / 10;
  let from = 0;
  let done = 0;
  const stop = await peer.work((count) => {
    if (done < warm && done + count >= warm) from = performance.now();
    done += count;
    if (done >= plan.backlog) changes.emit('empty');
  });
  // A peer that needs many times longer than the other figures is slow enough to be told from what it did until then.
  await Promise.race([once(changes, 'empty'), sleep((plan.warmup + plan.seconds) * 4_000)]);
  const seconds = (performance.now() - from) / 1_000;
  const jobs = Math.max(0, done - warm);
  tell({ name: `process a backlog of ${plan.backlog}`, jobs, seconds, rate: jobs / seconds });
  await stop();
}

/** Both at the same time, on empty tables, as a closed system: producers stay at most `ahead` jobs before the workers. */
export async function measureCycle(peer, plan, tell) {
  const payload = payloadOf(plan.payloadBytes);
  const window = openWindow(plan);
  const changes = new EventEmitter().setMaxListeners(0);
  let ahead = 0;
  const stop = await peer.work((count) => {
    window.count(count);
    ahead -= count;
    changes.emit('done');
  });
  await concurrently(plan.producers, async () => {
    while (!window.over()) {
      if (ahead + plan.batch > plan.ahead) {
        await Promise.race([once(changes, 'done'), window.end]);
        continue;
      }
      ahead += plan.batch;
      await peer.enqueue(plan.batch, payload);
    }
  });
  tell({ name: 'cycle', ...window.result() });
  await stop();
}

const concurrently = (count, work) => Promise.all(Array.from({ length: count }, work));

/** An object whose JSON has so many bytes. */
function payloadOf(bytes) {
  const empty = JSON.stringify({ data: '' }).length;
  return { data: 'x'.repeat(Math.max(0, bytes - empty)) };
}

/** Counts what happens between the end of the warm-up and the end of the time. */
function openWindow({ warmup, seconds }) {
  const from = performance.now() + warmup * 1_000;
  const until = from + seconds * 1_000;
  let jobs = 0;
  return {
    end: sleep((warmup + seconds) * 1_000),
    over: () => performance.now() >= until,
    count(more) {
      const now = performance.now();
      if (now >= from && now <= until) jobs += more;
    },
    result: () => ({ jobs, seconds, rate: jobs / seconds }),
  };
}
