import { setTimeout as sleep } from 'node:timers/promises';
import { Spooled, Worker } from '@spooled/sdk';
import { type GatewayAddress, Gateways } from './gateways.js';
import { recordingFetch } from './recording-fetch.js';

// A process with workers, started by worker-processes.ts; it reports its calls to the process that started it.

export interface WorkerProcessOptions {
  name: string;
  tenant: string;
  apiKey: string;
  gateways: GatewayAddress[];
}

/** What the job asks of its worker. */
interface Payload {
  fate?: 'complete' | 'fail' | 'fail once' | 'long' | 'release once' | 'abandon once';
  ms?: number;
}

interface Claimed {
  id: string;
  lease_id: string;
  retry_count: number;
  payload: Payload;
}

const requestTimeoutMs = 8_000;
/** The shortest that the API takes. */
const leaseSeconds = 5;
/** A worker claims no more while it has more jobs than these. */
const mostRunning = 4;
/** A long job outlives its lease, which is renewed in the meantime. */
const renewAfterMs = 2_500;

const { name, tenant, apiKey, gateways: addresses } = JSON.parse(process.argv[2]!) as WorkerProcessOptions;
const gateways = new Gateways(addresses);
const report = (message: object) => new Promise<void>((sent) => process.send!(message, () => sent()));
const fetch = recordingFetch({ tenant, gateways, report });
const released = new Set<string>();
const stopping = new AbortController();

/** undefined without an answer. */
async function post<T>(path: string, body: object): Promise<T | undefined> {
  try {
    const response = await fetch(`http://gateways/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    return response.ok ? ((await response.json()) as T) : undefined;
  } catch {
    return undefined;
  }
}

/** Until it is answered, as a worker does that must not lose the result of its work. */
async function end(worker: string, { id, lease_id, payload }: Claimed, verb: 'complete' | 'fail'): Promise<void> {
  const body = { worker_id: worker, lease_id, ...(verb === 'fail' ? { error: `fate of ${payload.fate}` } : {}) };
  for (let attempt = 0; attempt < 3 && !(await post(`/jobs/${id}/${verb}`, body)); attempt++) await sleep(200);
}

async function renewAndGoOn(worker: string, { id, lease_id }: Claimed): Promise<void> {
  await sleep(renewAfterMs);
  const renewal = { worker_id: worker, lease_id, lease_duration_secs: leaseSeconds };
  await post(`/jobs/${id}/heartbeat`, renewal);
  await sleep(leaseSeconds * 1000 - renewAfterMs + 500);
}

async function run(worker: string, job: Claimed): Promise<void> {
  const { fate = 'complete', ms = 0 } = job.payload;
  await sleep(ms);
  if (fate === 'abandon once' && job.retry_count === 0) return;
  if (fate === 'release once' && !released.has(job.id)) {
    released.add(job.id);
    await post(`/jobs/${job.id}/release`, { worker_id: worker, lease_id: job.lease_id });
    return;
  }
  if (fate === 'long') await renewAndGoOn(worker, job);
  const fails = fate === 'fail' || (fate === 'fail once' && job.retry_count === 0);
  await end(worker, job, fails ? 'fail' : 'complete');
}

/** A worker that speaks REST and has several jobs at once. */
async function work(worker: string, queue: string): Promise<void> {
  const claim = { queue_name: queue, worker_id: worker, limit: 4, lease_duration_secs: leaseSeconds, wait_seconds: 2 };
  const running = new Set<Promise<void>>();
  while (!stopping.signal.aborted) {
    const answer = await post<{ jobs: Claimed[] }>('/jobs/claim', claim);
    for (const job of answer?.jobs ?? []) {
      const one = run(worker, job).finally(() => running.delete(one));
      running.add(one);
    }
    if (!answer) await sleep(100);
    while (running.size > mostRunning) await Promise.race(running);
  }
  await Promise.all(running);
}

async function startSdkWorker(): Promise<Worker> {
  const client = new Spooled({ baseUrl: 'http://gateways', apiKey, fetch, timeoutMs: requestTimeoutMs });
  const handle = async ({ payload, retryCount }: { payload: Payload; retryCount: number }) => {
    await sleep(payload.fate === 'long' ? leaseSeconds * 1000 + 500 : (payload.ms ?? 0));
    if (payload.fate === 'fail' || (payload.fate === 'fail once' && retryCount === 0)) throw new Error('fate');
  };
  for (;;) {
    const options = { queues: { sdk: handle }, concurrency: 8, leaseSeconds, workerId: `${name}-sdk` };
    const worker = new Worker(client, options).on('error', () => undefined);
    try {
      await worker.start();
      return worker;
    } catch {
      await sleep(200);
    }
  }
}

const loops = [work(`${name}-a`, 'rest'), work(`${name}-b`, 'rest'), work(`${name}-c`, 'narrow')];
const sdkWorker = startSdkWorker();
process.once('SIGTERM', () => {
  stopping.abort();
  const ended = Promise.all([...loops, sdkWorker.then((worker) => worker.stop(1_000))]);
  void ended.then(() => process.exit(0));
});
// It ends with the process that started it.
process.once('disconnect', () => process.exit(1));
