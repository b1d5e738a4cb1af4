import { createRequire } from 'node:module';
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import { dropSchema, execute } from './fresh-schema.mjs';

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

/** graphile-worker deletes a finished job; here one statement per batch of completions moves it to a table, found by its id. */
export const withRecords = {
  describe: () => ({ ...describe(), name: 'graphile-worker with records' }),
  open: (urls) => open(urls, keepRecords),
};

/** @param prepare - called with the URL of the migrated database. @type {import('./peers.mjs').OpenPeer} */
export async function open({ postgres }, prepare = async () => undefined) {
  await dropSchema(postgres, schema);
  const utils = await makeWorkerUtils({
    logger: silent,
    preset: { worker: { connectionString: postgres, schema, maxPoolSize: 8 } },
  });
  await utils.migrate();
  await prepare(postgres);
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

const keepRecords = (postgres) =>
  execute(
    postgres,
    `
      CREATE TABLE ${schema}.records (
        id bigint PRIMARY KEY,
        payload json NOT NULL,
        attempts int NOT NULL,
        created_at timestamptz NOT NULL,
        finished_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE FUNCTION ${schema}.keep_records() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO ${schema}.records (id, payload, attempts, created_at)
        SELECT id, payload, attempts, created_at FROM finished;
        RETURN NULL;
      END $$;
      CREATE TRIGGER keep_records AFTER DELETE ON ${schema}._private_jobs
        REFERENCING OLD TABLE AS finished FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.keep_records();`,
  );
