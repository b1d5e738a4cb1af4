import { createRequire } from 'node:module';
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import { dropSchema } from './fresh-schema.mjs';

const { version } = createRequire(import.meta.url)('graphile-worker/package.json');

/** Settings from the project's own performance page: completion is batched, jobs are fetched 500 at a time. */
const worker = {
  concurrentJobs: 24,
  maxPoolSize: 25,
  localQueue: { size: 500 },
  completeJobBatchDelay: 0,
  failJobBatchDelay: 0,
};
const schema = 'bench_graphile_worker';
const silent = new Logger(() => () => undefined);

/** @type {import('./peers.mjs').DescribePeer} */
export const describe = () => ({ name: 'graphile-worker', version, settings: { ...worker, enqueue: 'addJobs' } });

/** @type {import('./peers.mjs').OpenPeer} */
export async function open({ postgres }) {
  await dropSchema(postgres, schema);
  const utils = await makeWorkerUtils({
    logger: silent,
    preset: { worker: { connectionString: postgres, schema, maxPoolSize: 8 } },
  });
  await utils.migrate();
  return {
    async enqueue(count, payload) {
      await utils.addJobs(Array.from({ length: count }, () => ({ identifier: 'bench', payload })));
    },
    async work(done) {
      const runner = await run({
        logger: silent,
        noHandleSignals: true,
        taskList: { bench: () => undefined },
        preset: { worker: { ...worker, connectionString: postgres, schema } },
      });
      runner.events.on('job:complete', () => done(1));
      return () => runner.stop();
    },
    async close() {
      await utils.release();
    },
  };
}
