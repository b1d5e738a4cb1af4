/**
 * What the bench asks of each queue that it compares itself with.
 *
 * @typedef {object} Peer
 * @property {(count: number, payload: object) => Promise<void>} enqueue - so many jobs in one call, kept when it resolves
 * @property {(done: (count: number) => void) => Promise<() => Promise<void>>} work
 *   starts workers that do nothing with a job but complete it, and tell how many they completed; resolves to what stops them
 * @property {() => Promise<void>} close
 *
 * @typedef {() => { name: string, version: string, settings: Record<string, unknown> }} DescribePeer
 *   the settings are printed beside the figures
 * @typedef {(urls: { postgres: string, redis: string }) => Promise<Peer>} OpenPeer - with nothing of an earlier time in it
 */

/** @type {Record<string, () => Promise<{ describe: DescribePeer, open: OpenPeer }>>} */
export const peers = {
  'graphile-worker': () => import('./graphile-worker.mjs'),
  'pg-boss': () => import('./pg-boss.mjs'),
  bullmq: () => import('./bullmq.mjs'),
};
