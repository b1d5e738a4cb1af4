import { createRequire } from 'node:module';
import PgBoss from 'pg-boss';
import { dropSchema } from './fresh-schema.mjs';

const { version } = createRequire(import.meta.url)('pg-boss/package.json');
const schema = 'bench_pg_boss';
const queue = 'bench';

/**
 * `work()` polls at most every 500 ms, so a loop of fetch() and complete(), both in batches, gives the best rate. Maintenance
 * has its default settings.
 */
const worker = { loops: 4, batchSize: 100, priority: false };

/** @type {import('./peers.mjs').DescribePeer} */
export const describe = () => ({
  name: 'pg-boss',
  version,
  settings: { ...worker, maxPoolSize: 10, enqueue: 'insert', process: 'fetch + complete(ids)' },
});

/** @type {import('./peers.mjs').OpenPeer} */
export async function open({ postgres }) {
  await dropSchema(postgres, schema);
  const boss = new PgBoss({ connectionString: postgres, schema, max: 10, schedule: false });
  // Connection errors also fail the calls, where they are reported.
  boss.on('error', () => undefined);
  await boss.start();
  await boss.createQueue(queue);

  /** Fetches and completes until stopped; polls every 5 ms while the queue is empty. */
  async function loop(state, done) {
    while (!state.stopped) {
      const jobs = await boss.fetch(queue, { batchSize: worker.batchSize, priority: worker.priority });
      if (jobs.length === 0) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        continue;
      }
      await boss.complete(
        queue,
        jobs.map(({ id }) => id),
      );
      done(jobs.length);
    }
  }

  return {
    async enqueue(count, payload) {
      await boss.insert(Array.from({ length: count }, () => ({ name: queue, data: payload })));
    },
    async work(done) {
      const state = { stopped: false };
      const loops = Array.from({ length: worker.loops }, () => loop(state, done));
      return async () => {
        state.stopped = true;
        await Promise.all(loops);
      };
    },
    async close() {
      await boss.stop({ graceful: false });
    },
  };
}
