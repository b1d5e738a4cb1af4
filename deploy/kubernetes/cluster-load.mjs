import { once } from 'node:events';
import { Agent, request as send } from 'node:http';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

// Load of `npm run cluster:check`, in a pod of the gateway's image. Producers and workers of one organization call the gateway's Service:
// by REST over kept connections, by REST with a connection for each request, and by gRPC. Nothing is retried. Each line of
// output is JSON: { failure } for each failed request, { second } once a second, and { result } after SIGTERM, when all jobs have ended.

const { ADMIN_API_KEY: adminKey, JOBS_PER_SECOND: rate } = process.env;
const base = 'http://gateway:8080/api/v1';
const restWorkers = 6;
/** Short, so that a lost lease expires while the check runs. Handlers take at most a fifth longer and renew it. */
const leaseSeconds = 10;
const requestTimeoutMs = 20_000;
const agents = { kept: new Agent({ keepAlive: true }), fresh: new Agent({ keepAlive: false }) };
const kinds = Object.keys(agents);
const queue = 'check';

const created = new Set();
/** Accepted completions by job. */
const completions = new Map();
const second = { requests: 0, failed: 0, slowestMs: 0 };
const totals = { requests: 0, failed: 0 };
let times = nodeTimes();
let producing = true;
let working = true;

const { organization, api_key: apiKey } = await setUp();
const { webhook_token: webhookToken } = await call('kept', 'GET', '/organizations/webhook-token');
const grpcClient = connectGrpc();
const timer = setInterval(printSecond, 1_000);
const loops = [
  produce(),
  receiveWebhooks(),
  ...Array.from({ length: restWorkers }, (_, n) => work(n)),
  pollByGrpc('grpc-poller'),
  streamByGrpc('grpc-stream'),
];
process.once('SIGTERM', () => (producing = false));
process.once('SIGINT', () => (producing = false));
await Promise.all(loops.slice(0, 2));
await waitForJobs(60);
working = false;
await Promise.all(loops);
clearInterval(timer);
printSecond();
print({ result: await judge() });

/** The organization, with a plan whose limits the load does not reach. */
async function setUp() {
  const admin = { 'x-admin-key': adminKey };
  const found = await call('kept', 'POST', '/organizations', { name: 'Check', slug: 'check' }, admin);
  await call('kept', 'PATCH', `/admin/organizations/${found.organization.id}`, { plan_tier: 'enterprise' }, admin);
  return found;
}

async function produce() {
  const running = new Set();
  for (let n = 0; producing; n++) {
    const kind = [...kinds, 'grpc'][n % (kinds.length + 1)];
    const one = (kind === 'grpc' ? createByGrpc() : createJob(kind)).finally(() => running.delete(one));
    running.add(one);
    await sleep(1_000 / Number(rate));
  }
  await Promise.all(running);
}

async function createJob(kind) {
  const job = await call(kind, 'POST', '/jobs', { queue_name: queue, payload: {}, max_retries: 20 });
  if (!job) return;
  created.add(job.id);
  await call(kind, 'GET', `/jobs/${job.id}`);
}

/** Through the gateway to the webhooks service. */
async function receiveWebhooks() {
  for (let n = 0; producing; n++) {
    const path = `/webhooks/${organization.id}/custom`;
    const job = await call(
      kinds[n % kinds.length],
      'POST',
      path,
      { queue_name: 'check', payload: {} },
      { 'x-webhook-token': webhookToken },
    );
    if (job) created.add(job.job_id);
    await sleep(1_000);
  }
}

async function work(n) {
  const kind = kinds[n % kinds.length];
  const worker = `worker-${n}`;
  while (working) {
    const body = { queue_name: queue, worker_id: worker, lease_duration_secs: leaseSeconds, wait_seconds: 5 };
    const claimed = await call(kind, 'POST', '/jobs/claim', body);
    for (const job of claimed?.jobs ?? []) await handle(kind, worker, job);
    if (!claimed) await sleep(200);
  }
}

/** Most handlers are short; one of 20 outlives its lease. */
async function handle(kind, worker, { id, lease_id: lease }) {
  const renew = { worker_id: worker, lease_id: lease, lease_duration_secs: leaseSeconds };
  await handler(() => call(kind, 'POST', `/jobs/${id}/heartbeat`, renew));
  const done = await call(kind, 'POST', `/jobs/${id}/complete`, { worker_id: worker, lease_id: lease, result: {} });
  if (done) noteCompletion(id);
}

async function handler(renew) {
  if (Math.random() >= 0.05) return sleep(Math.random() * 1_000);
  for (let i = 0; i < 4; i++) {
    await sleep((leaseSeconds * 1_000) / 3.3);
    await renew();
  }
}

function noteCompletion(id) {
  completions.set(id, (completions.get(id) ?? 0) + 1);
}

/** From the proto files, as clients in other languages do, with the packages of the image. */
function connectGrpc() {
  const fromImage = createRequire('/app/package.json');
  const { credentials, loadPackageDefinition, Metadata } = fromImage('@grpc/grpc-js');
  const definition = fromImage('@grpc/proto-loader').loadSync('spooled/v1/queue.proto', {
    includeDirs: [join(import.meta.dirname, 'proto')],
    keepCase: true,
  });
  const { QueueService } = loadPackageDefinition(definition).spooled.v1;
  const metadata = new Metadata();
  metadata.set('x-api-key', apiKey.key);
  return { service: new QueueService('gateway:50051', credentials.createInsecure()), metadata };
}

/** @returns the response; undefined if the call failed, which is printed */
async function callGrpc(method, request) {
  const { service, metadata } = grpcClient;
  const deadline = Date.now() + requestTimeoutMs;
  const since = Date.now();
  const outcome = await new Promise((resolve) => {
    service[method](request, metadata, { deadline }, (error, response) => resolve({ error, response }));
  });
  const { error, response } = outcome;
  count('grpc', method, Date.now() - since, error && `${error.code} ${error.details}`);
  return response;
}

async function createByGrpc() {
  const made = await callGrpc('Enqueue', { queue_name: queue, payload: {}, max_retries: 20 });
  if (made) created.add(made.job_id);
}

async function pollByGrpc(worker) {
  while (working) {
    const request = { queue_name: queue, worker_id: worker, lease_duration_secs: leaseSeconds, batch_size: 1 };
    for (const job of (await callGrpc('Dequeue', request))?.jobs ?? []) await handleByGrpc(worker, job);
    await sleep(200);
  }
}

/** A stream that ends is opened again. */
async function streamByGrpc(worker) {
  const { service, metadata } = grpcClient;
  while (working) {
    const stream = service.StreamJobs(
      { queue_name: queue, worker_id: worker, lease_duration_secs: leaseSeconds },
      metadata,
    );
    const handling = new Set();
    stream.on('data', (job) => {
      const one = handleByGrpc(worker, job).finally(() => handling.delete(one));
      handling.add(one);
    });
    const ended = new Promise((resolve) => stream.on('error', resolve).on('end', resolve));
    while (working && !(await Promise.race([ended.then(() => true), sleep(200)])));
    await Promise.all(handling);
    stream.cancel();
  }
}

async function handleByGrpc(worker, { id, lease_id: lease }) {
  const proof = { job_id: id, worker_id: worker, lease_id: lease };
  await handler(() => callGrpc('RenewLease', { ...proof, extension_secs: leaseSeconds }));
  if (await callGrpc('Complete', { ...proof, result: {} })) noteCompletion(id);
}

async function waitForJobs(seconds) {
  const end = Date.now() + seconds * 1_000;
  while (Date.now() < end && [...created].some((id) => !completions.has(id))) await sleep(200);
}

/** @returns what the service says of each job that it has acknowledged, compared with what the callers know */
async function judge() {
  const result = { ...totals, jobs: created.size, lost: [], unfinished: [], twice: [], burnt: [] };
  const ids = [...created];
  for (let from = 0; from < ids.length; from += 50) {
    const part = ids.slice(from, from + 50);
    const rows = (await call('kept', 'GET', `/jobs/status?ids=${part.join()}`)) ?? [];
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const id of part) {
      const row = byId.get(id);
      if (!row) result.lost.push(id);
      else if (row.status !== 'completed') result.unfinished.push(id);
      if (completions.get(id) > 1) result.twice.push(id);
      if (row && (row.attempt > 1 || row.retry_count > 0)) result.burnt.push({ id, createdAt: row.created_at });
    }
  }
  return result;
}

/** @returns the body; undefined if the request failed, which is printed */
async function call(kind, method, path, body, headers = { authorization: `Bearer ${apiKey?.key}` }) {
  const since = Date.now();
  const outcome = await exchange(kind, method, path, body, headers).catch((error) => ({ error }));
  const { error, status, text } = outcome;
  const isGood = status >= 200 && status < 300;
  const reused = error?.reused ? ' on a kept connection' : '';
  const why = error ? `${error.code ?? error.message}${reused}` : `${status} ${text.slice(0, 200)}`;
  const request = `${method} ${path.replace(/[0-9a-f-]{36}/g, '…').replace(/\?.*/, '')}`;
  count(kind, request, Date.now() - since, !isGood && why);
  return isGood ? JSON.parse(text || 'null') : undefined;
}

function count(connection, request, ms, why) {
  second.requests++;
  // A claim that waits for a job is not slow.
  if (!request.endsWith('/claim')) second.slowestMs = Math.max(second.slowestMs, ms);
  if (!why) return;
  second.failed++;
  print({ failure: { at: new Date().toISOString(), request, connection, ms, why } });
}

async function exchange(kind, method, path, body, headers) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const request = send(`${base}${path}`, {
    method,
    agent: agents[kind],
    signal: AbortSignal.timeout(requestTimeoutMs),
    headers: {
      ...headers,
      ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    },
  });
  try {
    request.end(text);
    const [response] = await once(request, 'response');
    const chunks = await response.setEncoding('utf8').toArray();
    return { status: response.statusCode, text: chunks.join('') };
  } catch (error) {
    throw Object.assign(error, { reused: request.reusedSocket });
  }
}

function printSecond() {
  totals.requests += second.requests;
  totals.failed += second.failed;
  const now = nodeTimes();
  const busy = 100 * (1 - (now.idle - times.idle) / (now.all - times.all));
  times = now;
  print({ second: { ...second, busy } });
  Object.assign(second, { requests: 0, failed: 0, slowestMs: 0 });
}

/** CPU time of the whole node so far. */
function nodeTimes() {
  const each = cpus().map((cpu) => cpu.times);
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  return { idle: sum(each.map(({ idle }) => idle)), all: sum(each.map((one) => sum(Object.values(one)))) };
}

function print(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
