/**
 * Interface of a queue that the bench compares with.
 *
 * @typedef {object} Peer
 * @property {(count: number, payload: object) => Promise<void>} enqueue - enqueues `count` jobs in one call; they are durable when it resolves
 * @property {(done: (count: number) => void) => Promise<() => Promise<void>>} work
 *   starts workers that only complete jobs, and call `done` with the number completed; resolves to a function that stops them
 * @property {() => Promise<void>} close
 *
 * @typedef {() => { name: string, version: string, settings: Record<string, unknown> }} DescribePeer
 *   the settings are printed with the results
 * @typedef {(urls: Record<string, string>) => Promise<Peer>} OpenPeer - with empty tables
 */

/** @type {Record<string, () => Promise<{ describe: DescribePeer, open: OpenPeer }>>} */
export const peers = {
  'graphile-worker': () => import('./graphile-worker.mjs'),
  'pg-boss': () => import('./pg-boss.mjs'),
  bullmq: () => import('./bullmq.mjs'),
  // The two that delete finished jobs by default, keeping a record of each as pg-boss and Spooled do.
  'graphile-worker-records': async () => (await import('./graphile-worker.mjs')).withRecords,
  'bullmq-records': async () => (await import('./bullmq.mjs')).withRecords,
  // Ours, as `npm run bench` has built it.
  embedded: () => import('../../../dist/bench/embedded.js'),
};
