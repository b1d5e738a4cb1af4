import { createRequire } from 'node:module';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';

const { version } = createRequire(import.meta.url)('bullmq/package.json');
const name = 'bench';
const prefix = 'bench-peers';

/** Several workers with their own connections, as BullMQ's guide recommends for throughput; finished jobs are removed. */
const worker = { workers: 4, concurrency: 50 };
const removed = { removeOnComplete: true, removeOnFail: true };
const kept = { removeOnComplete: false, removeOnFail: false };

/** @type {import('./peers.mjs').DescribePeer} */
export const describe = () => ({
  name: 'BullMQ',
  version,
  settings: { ...worker, enqueue: 'addBulk', removeOnComplete: true },
});

/** Finished jobs stay in Redis. */
export const withRecords = {
  describe: () => ({
    ...describe(),
    name: 'BullMQ with records',
    settings: { ...worker, enqueue: 'addBulk', removeOnComplete: false },
  }),
  open: (urls) => open(urls, kept),
};

/** @type {import('./peers.mjs').OpenPeer} */
export async function open({ redis }, jobOptions = removed) {
  const connections = [];
  const connect = () => {
    const connection = new Redis(redis, { maxRetriesPerRequest: null });
    // Connection errors also fail the calls, where they are reported.
    connection.on('error', () => undefined);
    connections.push(connection);
    return connection;
  };
  const queue = new Queue(name, { connection: connect(), prefix });
  queue.on('error', () => undefined);
  await queue.obliterate({ force: true });

  function startWorker(done) {
    const one = new Worker(name, async () => undefined, {
      connection: connect(),
      prefix,
      concurrency: worker.concurrency,
    });
    one.on('error', () => undefined);
    one.on('completed', () => done(1));
    return one;
  }

  return {
    async enqueue(count, payload) {
      await queue.addBulk(Array.from({ length: count }, () => ({ name, data: payload, opts: jobOptions })));
    },
    async work(done) {
      const workers = Array.from({ length: worker.workers }, () => startWorker(done));
      await Promise.all(workers.map((one) => one.waitUntilReady()));
      return async () => {
        await Promise.all(workers.map((one) => one.close()));
      };
    },
    async close() {
      await queue.obliterate({ force: true });
      await queue.close();
      for (const connection of connections) connection.disconnect();
    },
  };
}
