import { createRequire } from 'node:module';
import PgBoss from 'pg-boss';
import { dropSchema } from './fresh-schema.mjs';

const { version } = createRequire(import.meta.url)('pg-boss/package.json');
const schema = 'bench_pg_boss';
const queue = 'bench';

/**
 * `work()` looks for jobs every half a second at the most, so a loop of fetch() and complete() is the way to its best rate;
 * both take batches. Maintenance runs as it does by default.
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
  // Losing the connection shows in the calls themselves.
  boss.on('error', () => undefined);
  await boss.start();
  await boss.createQueue(queue);

  /** Until told to stop, or with nothing to do for a moment. */
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
