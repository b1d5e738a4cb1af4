import { BatchWorker } from '../load/batch-worker.js';
import { HttpConnection } from '../load/http-connection.js';
import { bulkSize, TimedBulkBody } from '../load/producers.js';
import type { Window } from '../measure/window.js';
import type { Scenario } from '../scenario.js';
import type { BenchStack } from '../stack/bench-stack.js';

const queue = 'bench-batch';
const reports = 'bench-batch-reports';
const jobsByDefault = 10_000;
const producers = 4;
const workers = 4;
const longestSeconds = 3_600;

export const batch: Scenario = {
  name: 'batch',
  what: 'jobs of one batch, added and then completed; the callback is timed from the send of the last completion until a worker has it',
  onDemand: true,
  settings: (options) => ({
    jobs: options.rows ?? jobsByDefault,
    producers,
    'jobs a request': bulkSize,
    workers,
    'payload bytes': options.payloadBytes,
  }),
  async run({ stack, options, measure }) {
    const jobs = Math.ceil((options.rows ?? jobsByDefault) / bulkSize) * bulkSize;
    const plan = { seconds: longestSeconds, warmup: 0 };
    let id = '';
    await measure({ name: 'add', ...plan }, async (window) => {
      id = await createBatch(stack);
      await add(stack, window, { id, jobs, payloadBytes: options.payloadBytes });
      await post(stack, `/api/v1/batches/${id}/close`, '');
      window.close();
    });
    await measure({ name: 'complete', operationsIn: 'completed', ...plan }, async (window) => {
      const took = await complete(stack, window, jobs);
      window.record(took, 'callback');
      window.figure('bytes a member', Math.round((await sizeOf(stack)) / jobs), 'completed');
      window.close();
    });
    const { body } = await post(stack, `/api/v1/batches/${id}`);
    const found = JSON.parse(body) as { status: string; succeeded_jobs: number };
    if (found.status !== 'completed' || found.succeeded_jobs !== jobs) throw new Error(`the batch is ${body}`);
  },
};

async function createBatch(stack: BenchStack): Promise<string> {
  const callback = { queue_name: reports, payload: {} };
  const { body } = await post(stack, '/api/v1/batches', JSON.stringify({ on_complete: callback }));
  return (JSON.parse(body) as { id: string }).id;
}

/** Without a body a GET. @throws Error when it is refused */
async function post(stack: BenchStack, path: string, body?: string): Promise<{ body: string }> {
  const connection = new HttpConnection(stack.baseUrl, stack.apiKey);
  const response = await (body === undefined ? connection.get(path) : connection.post(path, body));
  await connection.close();
  if (response.status >= 400) throw new Error(`${response.status} ${response.body.slice(0, 120)}`);
  return response;
}

async function add(
  stack: BenchStack,
  window: Window,
  { id, jobs, payloadBytes }: { id: string; jobs: number; payloadBytes: number },
): Promise<void> {
  const bulk = new TimedBulkBody(queue, payloadBytes);
  let left = jobs;
  const produce = async () => {
    const connection = new HttpConnection(stack.baseUrl, stack.apiKey);
    while (left > 0) {
      left -= bulkSize;
      const at = performance.now();
      const { status, body } = await connection.post(`/api/v1/batches/${id}/jobs`, bulk.at(at));
      if (status >= 400) throw new Error(`${status} ${body.slice(0, 120)}`);
      window.count(at, bulkSize);
    }
    await connection.close();
  };
  await Promise.all(Array.from({ length: producers }, produce));
}

/** @returns milliseconds from the send of the last completion until a worker has the callback job */
async function complete(stack: BenchStack, window: Window, jobs: number): Promise<number> {
  let left = jobs;
  let lastAt = 0;
  const called = Promise.withResolvers<number>();
  const running = Array.from(
    { length: workers },
    (_, i) =>
      new BatchWorker(stack, window, `worker-${i}`, {
        queue,
        onJobs: (received, worker) => {
          left -= received.length;
          if (left <= 0) lastAt = performance.now();
          void worker.complete(received);
          window.add(received.length, 'completed');
        },
      }),
  );
  const reporter = new BatchWorker(stack, window, 'reporter', {
    queue: reports,
    onJobs: (received, worker) => {
      called.resolve(performance.now() - lastAt);
      void worker.complete(received);
    },
  });
  const took = await called.promise;
  await Promise.all([...running, reporter].map((worker) => worker.close()));
  return took;
}

/** Bytes of what a batch adds to its jobs. */
async function sizeOf(stack: BenchStack): Promise<number> {
  const { rows } = await stack.superuser.query<{ bytes: number }>(
    `SELECT pg_total_relation_size('batch_jobs')::float8 AS bytes`,
  );
  return rows[0]!.bytes;
}
