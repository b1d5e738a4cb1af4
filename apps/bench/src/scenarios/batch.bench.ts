import { withConnections } from '../load/closed-loop.js';
import { BatchWorker } from '../load/batch-worker.js';
import { HttpConnection, refusal } from '../load/http-connection.js';
import { request } from '../load/request.js';
import { bulkSize, TimedBulkBody } from '../load/producers.js';
import { claimJobs, completeJobs } from '../load/work-over-rest.js';
import type { Window } from '../measure/window.js';
import { short } from '../output/table.js';
import type { StepReport } from '../report.js';
import type { BenchRun, Scenario } from '../scenario.js';
import type { BenchStack } from '../stack/bench-stack.js';

const reports = 'bench-batch-reports';
const jobsByDefault = 100_000;
/** Of the batch two at the beginning and two at the end, beside as many jobs without a batch. Both transports together complete the rest. */
const comparedParts = 4;
const largestPart = 20_000;
const mostParts = 10;
const producers = 4;
const workers = 4;
/** Of workers over gRPC. Few: what they hold when a part is complete they complete as well. */
const prefetch = 2 * bulkSize;
const longestSeconds = 3_600;
const plan = { seconds: longestSeconds, warmup: 0 };

interface Backlog {
  queue: string;
  /** Jobs that have not been completed. */
  left: number;
}

/** How a part of a backlog is worked off. */
interface Work {
  stack: BenchStack;
  window: Window;
  queue: string;
  /** When a request to complete jobs was sent, and how many were. */
  onSent(at: number): void;
  onCompleted(jobs: number): void;
}

export const batch: Scenario = {
  name: 'batch',
  what: 'jobs of one batch, added and completed, beside jobs without a batch; the callback is timed from the send of the last completion until a worker has it',
  onDemand: true,
  settings: (options) => ({
    jobs: options.rows ?? jobsByDefault,
    producers,
    'jobs a request': bulkSize,
    'workers of each transport': workers,
    prefetch,
    'payload bytes': options.payloadBytes,
  }),
  async run(bench) {
    const { stack, say } = bench;
    const wholeRequests = (jobs: number): number => Math.ceil(jobs / bulkSize) * bulkSize;
    const jobs = wholeRequests(bench.options.rows ?? jobsByDefault);
    const part = wholeRequests(Math.min(largestPart, jobs / mostParts));
    const members: Backlog = { queue: 'bench-batch', left: jobs };
    const others: Backlog = { queue: 'bench-batch-none', left: comparedParts * part };
    const id = await createBatch(stack);
    const added = await add(bench, 'add', members, `/api/v1/batches/${id}/jobs`);
    compare(bench, added, await add(bench, 'add, no batch', others, '/api/v1/jobs/bulk'));
    await request(stack, 'POST', `/batches/${id}/close`);

    const complete = (name: string, backlog: Backlog, transports: readonly Transport[], most = part) =>
      bench.measure({ name, operationsIn: 'completed', ...plan }, (window) =>
        workOff({ stack, window, backlog, transports, jobs: most }),
      );
    const grpc = await complete('gRPC', members, [overGrpc]);
    compare(bench, grpc, await complete('gRPC, no batch', others, [overGrpc]));
    const rest = await complete('REST', members, [overRest]);
    compare(bench, rest, await complete('REST, no batch', others, [overRest]));
    await complete('both', members, [overGrpc, overRest], members.left - 2 * part);
    const grpcBefore = await complete('gRPC at the end, no batch', others, [overGrpc]);
    compare(bench, await complete('gRPC at the end', members, [overGrpc]), grpcBefore);
    const restBefore = await complete('REST at the end, no batch', others, [overRest]);
    const last = { name: 'REST at the end', operationsIn: 'completed', ...plan };
    compare(bench, await bench.measure(last, (window) => workOffLast(stack, window, members)), restBefore);
    await requireCompleted(stack, id, jobs);
    // What the batch adds to its jobs, with dead rows.
    const bytes = await stack.number(`SELECT pg_total_relation_size('batch_jobs')`);
    say(`  ${Math.round(bytes / jobs)} bytes a member`);
  },
};

async function createBatch(stack: BenchStack): Promise<string> {
  const callback = { queue_name: reports, payload: {} };
  const callbacks = JSON.stringify({ on_complete: callback, on_success: callback });
  return (JSON.parse(await request(stack, 'POST', '/batches', callbacks)) as { id: string }).id;
}

function add(bench: BenchRun, name: string, backlog: Backlog, path: string): Promise<StepReport> {
  const { stack, options } = bench;
  const bulk = new TimedBulkBody(backlog.queue, options.payloadBytes);
  let { left } = backlog;
  return bench.measure({ name, ...plan }, async (window) => {
    await withConnections(stack.baseUrl, stack.apiKey, producers, async (connection) => {
      while (left > 0) {
        left -= bulkSize;
        const at = performance.now();
        const response = await connection.post(path, bulk.at(at));
        if (response.status >= 400) throw new Error(refusal(response));
        window.count(at, bulkSize);
      }
    });
    window.close();
  });
}

type Transport = (work: Work, worker: string) => Promise<void>;

/** A worker that completes the jobs of each message on receipt. */
const overGrpc: Transport = async ({ stack, window, queue, onSent, onCompleted }, id) => {
  const worker = new BatchWorker(stack, window, id, {
    ...{ queue, prefetch },
    onJobs: (jobs, own) => {
      onSent(performance.now());
      void own.complete(jobs).then((completed) => onCompleted(completed.length));
    },
  });
  await window.whenClosed;
  await worker.close();
};

const overRest: Transport = async ({ stack, window, queue, onSent, onCompleted }, worker) => {
  const connection = new HttpConnection(stack.baseUrl, stack.apiKey);
  while (!window.over) {
    const jobs = await claimJobs(connection, { queue, worker, limit: bulkSize, waitSeconds: 1 });
    if (jobs.length === 0) continue;
    onSent(performance.now());
    const completed = await completeJobs(connection, worker, jobs);
    onCompleted(completed);
    if (completed < jobs.length) window.fail('not completed', 'completed', jobs.length - completed);
  }
  await connection.close();
};

interface Part {
  stack: BenchStack;
  window: Window;
  backlog: Backlog;
  transports: readonly Transport[];
  /** The window closes when as many have been completed, or all; never of Infinity. Jobs that are then in flight are completed as well. */
  jobs: number;
  onSent?(at: number): void;
}

async function workOff({ backlog, transports, jobs, onSent = () => undefined, ...part }: Part): Promise<void> {
  let left = jobs === Infinity ? jobs : Math.min(jobs, backlog.left);
  if (left <= 0) return part.window.close();
  const work: Work = {
    ...part,
    ...{ queue: backlog.queue, onSent },
    onCompleted: (completed) => {
      backlog.left -= completed;
      left -= completed;
      part.window.add(completed, 'completed');
      if (left <= 0) part.window.close();
    },
  };
  await Promise.all(
    transports.flatMap((transport, kind) =>
      Array.from({ length: workers }, (_, i) => transport(work, `worker-${kind}-${i}`)),
    ),
  );
}

/** Completes what is left over REST, until a worker has both callback jobs. */
async function workOffLast(stack: BenchStack, window: Window, backlog: Backlog): Promise<void> {
  let lastAt = 0;
  let missing = 2;
  const reporter = new BatchWorker(stack, window, 'reporter', {
    queue: reports,
    onJobs: (received, worker) => {
      for (const _ of received) window.record(performance.now() - lastAt, 'callback');
      missing -= received.length;
      void worker.complete(received);
      if (missing <= 0) window.close();
    },
  });
  const onSent = (at: number): void => void (lastAt = at);
  await workOff({ stack, window, backlog, transports: [overRest], jobs: Infinity, onSent });
  await reporter.close();
}

/** Prints the ratio of a rate to that of the same work without a batch, and adds it to the report. */
function compare({ say }: BenchRun, inBatch: StepReport, without: StepReport): void {
  const [row] = inBatch.rows;
  row!.figures['ratio to no batch'] = row!.rate / without.rows[0]!.rate;
  say(`    ratio to no batch ${short(row!.figures['ratio to no batch'])}`);
}

/** @throws Error when the counts are wrong, or a callback was not created exactly once */
async function requireCompleted(stack: BenchStack, id: string, jobs: number): Promise<void> {
  const body = await request(stack, 'GET', `/batches/${id}`);
  const found = JSON.parse(body) as { status: string; total_jobs: number; succeeded_jobs: number };
  const isRight = found.status === 'completed' && found.total_jobs === jobs && found.succeeded_jobs === jobs;
  if (!isRight) throw new Error(`the batch is ${body}`);
  const callbacks = await stack.number('SELECT count(*) FROM jobs WHERE queue_name = $1', [reports]);
  if (callbacks !== 2) throw new Error(`${callbacks} callback jobs were created, not 2`);
}
