import { createHmac, randomInt, randomUUID } from 'node:crypto';
import { availableParallelism, loadavg } from 'node:os';
import { requestLimits } from '@spooled/contracts';
import { createTenant, eventually, type Stack, startStack, type TestTenant, unixSeconds } from '@spooled/testing';
import { bodyOf, gatewayRoutes, ingestionRoutes, type DescribedRoute, type Schema } from './api-description.js';
import { GrpcCaller, struct, type Refusal } from './grpc-caller.js';
import { hostileBodies, largestBodies } from './large-bodies.js';
import { LoopWatch, type LoopReport } from './loop-watch.js';

/** The promised limit for any request. A request over it is repeated and the minimum counts, because a busy machine only adds time. */
const maxTurnMs = 50;
const attempts = 3;
/** Runnable processes per core above which CPU time is inaccurate: cold caches, delayed garbage collector threads. */
const busyLoadPerCore = 4;
/** At seven per core a parser's turn of 41 ms, mostly garbage collection, took 68 ms in each attempt. */
const maxBusyTurnMs = 75;
const effectiveLimitMs = () => (loadavg()[0]! / availableParallelism() > busyLoadPerCore ? maxBusyTurnMs : maxTurnMs);
/** Body limit of routes without a credential. */
const anonymousBodyBytes = 256 * 1024;
/** Permitted growth of used memory. */
const maxGrowthMb = 40;
const timeout = 600_000;

const webhookSecret = 'a secret of this spec';
const watch = new LoopWatch();
let stack: Stack;
let tenant: TestTenant;
let grpc: GrpcCaller;

beforeAll(async () => {
  const secrets = { GITHUB_WEBHOOK_SECRET: webhookSecret, STRIPE_WEBHOOK_SECRET: webhookSecret };
  const env = { ...watch.env, ...secrets, TRUSTED_PROXY_HOPS: '1' };
  stack = await startStack({ schedulers: 0, realtime: 0, env });
  tenant = await createTenant(stack.databaseUrls.superuserUrl);
  grpc = new GrpcCaller(stack.grpcAddresses[0]!, { 'x-api-key': tenant.key });
}, 60_000);
afterAll(async () => {
  grpc?.close();
  await stack?.stop();
  watch.close();
});

const routes = [...gatewayRoutes(), ...ingestionRoutes()].flatMap((route) => {
  const schema = bodyOf(route.operation);
  // A logout would invalidate the credential of the other requests.
  return schema && !route.path.startsWith('/api/v1/auth/logout') ? [{ route, schema }] : [];
});

const sign = (...parts: string[]): string =>
  parts.reduce((sum, part) => sum.update(part), createHmac('sha256', webhookSecret)).digest('hex');

/** Signature headers of an incoming webhook. */
function signatureOf(path: string, json: string): Record<string, string> {
  const seconds = String(unixSeconds());
  if (path.endsWith('/github')) return { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${sign(json)}` };
  return path.endsWith('/stripe') ? { 'stripe-signature': `t=${seconds},v1=${sign(`${seconds}.`, json)}` } : {};
}

function headersFor({ operation, path }: DescribedRoute, json: string): Record<string, string> {
  if (operation['x-forwarded']) return signatureOf(path, json);
  const isAdmin = operation.security.some((each) => 'admin' in each);
  return isAdmin ? { 'x-admin-key': stack.adminKey } : { authorization: `Bearer ${tenant.key}` };
}

/** Requests to public and admin routes are rate-limited per address. */
const randomAddress = () => [10, randomInt(256), randomInt(256), randomInt(256)].join('.');

async function send(route: DescribedRoute, json: string): Promise<{ status: number; text: string }> {
  const isOwn = route.path.startsWith('/api/v1/organizations/{id}');
  const path = route.path
    .replace('{organizationId}', tenant.organizationId)
    .replaceAll(/\{\w+\}/g, isOwn ? tenant.organizationId : randomUUID());
  const request = {
    method: route.method,
    headers: { 'content-type': 'application/json', 'x-forwarded-for': randomAddress(), ...headersFor(route, json) },
    body: json,
  };
  try {
    const response = await fetch(stack.baseUrl + path, request);
    return { status: response.status, text: await response.text() };
  } catch (error) {
    // Rejected by its Content-Length and closed while the client still writes, so the client may not receive the response.
    const { code } = (error as { cause?: { code?: string } }).cause ?? {};
    if (json.length > anonymousBodyBytes && (code === 'EPIPE' || code === 'ECONNRESET'))
      return { status: 413, text: '' };
    throw error;
  }
}

interface Turn {
  what: string;
  service: string;
  ms: number;
  /** Of all attempts; more than one if the first was over the limit. */
  all: number[];
}

/** Sends requests one at a time; records the longest event loop turn that each caused, and wrong responses. */
class Probe {
  private readonly turns: Turn[] = [];
  readonly wrong: string[] = [];

  async send(what: string, request: () => Promise<string | null>): Promise<void> {
    const all: Omit<Turn, 'all'>[] = [];
    do {
      await watch.reports();
      const problem = await request();
      const [worst] = (await watch.reports()).toSorted((a, b) => b.longestMs - a.longestMs);
      all.push({ what, service: worst!.service, ms: worst!.longestMs });
      if (problem !== null) this.wrong.push(`${what}: ${problem}`);
    } while (all.at(-1)!.ms > maxTurnMs && all.length < attempts);
    const fastest = all.reduce((one, other) => (other.ms < one.ms ? other : one));
    this.turns.push({ ...fastest, all: all.map(({ ms }) => ms) });
  }

  /** The turns over the limit in each attempt; prints the longest of each service. */
  tooLong(about: string): string[] {
    const sorted = this.turns.toSorted((a, b) => b.ms - a.ms);
    const format = (turn: Turn) => `${turn.all.map((ms) => ms.toFixed(0)).join('/')} ms ${turn.service}: ${turn.what}`;
    const services = Object.values(Object.groupBy(sorted, ({ service }) => service));
    const longest = services.map((turns) => turns!.slice(0, 3).map(format).join('; '));
    process.stderr.write(`${about}: ${sorted.length} requests, the longest turns:\n  ${longest.join('\n  ')}\n`);
    const limitMs = effectiveLimitMs();
    return sorted.filter(({ ms }) => ms > limitMs).map(format);
  }
}

/** Services whose used memory has grown by more than the limit. */
async function grownSince(before: LoopReport[]): Promise<string[]> {
  const now = await watch.memory();
  const grown = now.map(({ service, usedMb }, i) => ({ service, mb: usedMb - before[i]!.usedMb }));
  return grown.filter(({ mb }) => mb >= maxGrowthMb).map(({ service, mb }) => `${service}: ${mb.toFixed(0)} MB`);
}

/** Sends each body to every route. */
async function probeRoutes(
  bodies: (schema: Schema) => { name: string; field?: string; json: string }[],
  check: (status: number, text: string) => boolean,
): Promise<Probe> {
  const probe = new Probe();
  for (const { route, schema } of routes) {
    for (const { name, field = '', json } of bodies(schema)) {
      await probe.send(`${route.method} ${route.path} ${field} ${name}`, async () => {
        const { status, text } = await send(route, json);
        return check(status, text) ? null : `${status} with ${text.length} bytes: ${text.slice(0, 120)}`;
      });
    }
  }
  return probe;
}

const short = (text: string) => text.length < 16_384;

it(
  'the largest valid REST requests do not block the event loop',
  async () => {
    await send(routes[0]!.route, '{}');
    const before = await watch.memory();
    const isValid = (status: number, text: string) =>
      (status < 500 || text.includes('NOT_IMPLEMENTED')) && !text.includes('INVALID_JSON');
    const probe = await probeRoutes(largestBodies, isValid);
    expect(probe.wrong).toEqual([]);
    expect(probe.tooLong('largest bodies')).toEqual([]);
    // Responses and connections in progress are freed a moment later on a busy machine.
    await eventually(async () => expect(await grownSince(before)).toEqual([]), { timeoutMs: 15_000 });
  },
  timeout,
);

it(
  'REST requests far over every limit do not block the event loop, and have short responses',
  async () => {
    const before = await watch.memory();
    const isRefused = (status: number, text: string) => status < 500 && short(text);
    const probe = await probeRoutes(hostileBodies, isRefused);
    expect(probe.wrong).toEqual([]);
    expect(probe.tooLong('bodies over all limits')).toEqual([]);
    // Responses and connections in progress are freed a moment later on a busy machine.
    await eventually(async () => expect(await grownSince(before)).toEqual([]), { timeoutMs: 15_000 });
  },
  timeout,
);

const { grpcFields, grpcMessageBytes } = requestLimits;
const room = grpcMessageBytes - 65_536;
const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 'x']));
const [queue_name, worker_id, job_id] = ['large', 'w', randomUUID()];
/** For each RPC a valid message with all fields of variable length. */
const messages: Record<string, object> = {
  Enqueue: { queue_name, payload: struct({}), idempotency_key: '', tags: {} },
  Dequeue: { queue_name, worker_id },
  Complete: { job_id, worker_id, lease_id: '', result: struct({}) },
  Fail: { job_id, worker_id, lease_id: '', error: '' },
  RenewLease: { job_id, worker_id, lease_id: '' },
  GetJob: { job_id },
  GetQueueStats: { queue_name },
  'WorkerService/Register': { queue_name, hostname: 'h', worker_type: '', version: '', metadata: {} },
  'WorkerService/Heartbeat': { worker_id, status: '', metadata: {} },
  'WorkerService/Deregister': { worker_id },
  'BatchService/EnqueueMany': { queue_name, jobs: [{ payload: Buffer.from('{}') }] },
  'BatchService/SettleMany': { worker_id, settlements: [{ job_id, lease_id: job_id, complete: {} }] },
  'BatchService/StreamBatches': { queue_names: [queue_name], worker_id },
  StreamJobs: { queue_name, worker_id },
  'ProcessJobs/dequeue': { queue_name, worker_id },
  'ProcessJobs/complete': { job_id, worker_id, lease_id: '', result: struct({}) },
  'ProcessJobs/fail': { job_id, worker_id, lease_id: '', error: '' },
  'ProcessJobs/renew_lease': { job_id, worker_id, lease_id: '' },
};

/** The status of a message; streaming messages are sent on a new stream. */
async function refusalOf(method: string, message: object): Promise<Refusal> {
  if (method === 'StreamJobs' || method === 'BatchService/StreamBatches') return grpc.serverStream(method, message).end;
  if (!method.startsWith('ProcessJobs/')) return grpc.refusal(method, message);
  const inbox = grpc.duplex('ProcessJobs');
  inbox.stream.write({ [method.split('/')[1]!]: message });
  const { error } = (await inbox.next()) as { error?: { code: string; message: string } };
  inbox.stream.cancel();
  return { code: error?.code ?? 'OK', details: error?.message ?? '' };
}
const refusals = ['OK', 'INVALID_ARGUMENT', 'INVALID_REQUEST', 'NOT_FOUND'];

/** For each kind of field the largest valid values, and values over the limits. */
function largeValues(value: unknown): Record<string, unknown> {
  if (typeof value === 'string') return { 'a text': 'x'.repeat(room) };
  if (Array.isArray(value)) return largeBatches(value[0]);
  if (typeof value !== 'object' || value === null || !('fields' in value)) {
    return { 'all members': members(grpcFields / 3 - 20), 'too many members': members(120_000) };
  }
  return {
    'all members': struct(members(grpcFields / 4 - 20)),
    'all elements': struct({ a: Array<number>(grpcFields / 2 - 20).fill(1) }),
    'too many members': struct(members(120_000)),
    'too many elements': struct({ a: Array<number>(320_000).fill(1) }),
    'a text': struct({ a: 'x'.repeat(room) }),
  };
}

/** For a repeated field. `item`: a valid element. */
function largeBatches(item: unknown): Record<string, unknown> {
  if (typeof item !== 'object' || item === null) return { 'too many texts': Array<unknown>(120_000).fill(item) };
  const batch = (count: number, text: (bytes: number) => string) => {
    const document = Buffer.from(text(Math.floor(room / count) - 200));
    return Array.from({ length: count }, () => {
      const own = { ...item, job_id: randomUUID() };
      return 'payload' in item ? { ...own, payload: document } : { ...own, complete: { result: document } };
    });
  };
  const elements = (bytes: number) => `[${'1,'.repeat(Math.min(bytes / 2, 60_000) - 2)}1]`;
  const inexact = (bytes: number) => `[${'1.0,'.repeat(Math.min(bytes / 4, 60_000) - 2)}1]`;
  const members = (bytes: number) =>
    `{${Array.from({ length: Math.min(bytes / 12, 30_000) }, (_, i) => `"k${i}":1`).join()}}`;
  const texts = { 'a text': (bytes: number) => `"${'x'.repeat(bytes - 2)}"`, elements, inexact, members };
  return {
    'too many items': Array<unknown>(120_000).fill({}),
    ...Object.fromEntries(
      Object.entries(texts).flatMap(([name, text]) =>
        [1, 100].map((count) => [`${count} of ${name}`, batch(count, text)]),
      ),
    ),
  };
}

it(
  'large gRPC messages do not block the event loop',
  async () => {
    const probe = new Probe();
    for (const [method, message] of Object.entries(messages)) {
      for (const [field, own] of Object.entries(message)) {
        for (const [name, value] of Object.entries(largeValues(own))) {
          await probe.send(`${method} ${field} ${name}`, async () => {
            const { code, details } = await refusalOf(method, { ...message, [field]: value });
            const isFine = refusals.includes(code ?? '') && short(details);
            return isFine ? null : `${code} ${details.slice(0, 120)}`;
          });
        }
      }
    }
    expect(probe.wrong).toEqual([]);
    expect(probe.tooLong('gRPC messages')).toEqual([]);
  },
  timeout,
);
