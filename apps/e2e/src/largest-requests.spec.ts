import { randomInt, randomUUID } from 'node:crypto';
import { requestLimits } from '@spooled/contracts';
import { createTenant, type Stack, startStack, type TestTenant } from '@spooled/testing';
import { bodyOf, gatewayRoutes, type DescribedRoute, type Schema } from './api-description.js';
import { GrpcCaller, struct } from './grpc-caller.js';
import { hostileBodies, largestBodies } from './large-bodies.js';
import { LoopWatch } from './loop-watch.js';

/**
 * The promise is 50 ms of the event loop for any one request, on an idle machine. Here other processes share the caches and
 * the cores, which makes everything take up to twice as long.
 */
const longestTurnMs = 100;
/** Routes that want no credential read no larger bodies. */
const anonymousBodyBytes = 256 * 1024;
/** What stays in use after all of it, beyond what was in use before. */
const keptMb = 40;
const timeout = 600_000;

const watch = new LoopWatch('gateway');
let stack: Stack;
let tenant: TestTenant;
let grpc: GrpcCaller;

beforeAll(async () => {
  const env = { ...watch.env, TRUSTED_PROXY_HOPS: '1' };
  stack = await startStack({ schedulers: 0, webhooks: 0, realtime: 0, env });
  tenant = await createTenant(stack.databaseUrls.superuserUrl);
  grpc = new GrpcCaller(stack.grpcAddresses[0]!, { 'x-api-key': tenant.key });
}, 60_000);
afterAll(async () => {
  grpc?.close();
  await stack?.stop();
  watch.close();
});

const routes = gatewayRoutes().flatMap((route) => {
  const schema = bodyOf(route.operation);
  // A body that signs its sender out would end the others.
  return schema && !route.path.startsWith('/api/v1/auth/logout') ? [{ route, schema }] : [];
});

function headersFor({ operation }: DescribedRoute): Record<string, string> {
  const isAdmin = operation.security.some((each) => 'admin' in each);
  return isAdmin ? { 'x-admin-key': stack.adminKey } : { authorization: `Bearer ${tenant.key}` };
}

/** Answers of public routes and of the administrator count against the address. */
const randomAddress = () => [10, randomInt(256), randomInt(256), randomInt(256)].join('.');

async function send(route: DescribedRoute, json: string): Promise<{ status: number; text: string }> {
  const isOwn = route.path.startsWith('/api/v1/organizations/{id}');
  const path = route.path.replaceAll(/\{\w+\}/g, isOwn ? tenant.organizationId : randomUUID());
  const request = {
    method: route.method,
    headers: { 'content-type': 'application/json', 'x-forwarded-for': randomAddress(), ...headersFor(route) },
    body: json,
  };
  try {
    const response = await fetch(stack.baseUrl + path, request);
    return { status: response.status, text: await response.text() };
  } catch (error) {
    // Refused by its announced length, and closed while the sender still writes: it may not get to read the answer.
    const { code } = (error as { cause?: { code?: string } }).cause ?? {};
    if (json.length > anonymousBodyBytes && (code === 'EPIPE' || code === 'ECONNRESET'))
      return { status: 413, text: '' };
    throw error;
  }
}

interface Turn {
  what: string;
  ms: number;
}

/** Makes requests one after the other; tells the longest turns of the event loop that they caused, and what was answered wrongly. */
class Probe {
  private readonly turns: Turn[] = [];
  readonly wrong: string[] = [];

  async make(what: string, request: () => Promise<string | null>): Promise<void> {
    await watch.report();
    const problem = await request();
    const { longestMs: ms } = await watch.report();
    this.turns.push({ what, ms });
    if (problem !== null) this.wrong.push(`${what}: ${problem}`);
  }

  /** Those that took longer than promised; prints the longest. */
  tooLong(about: string): string[] {
    const sorted = this.turns.toSorted((a, b) => b.ms - a.ms);
    const told = sorted.map(({ what, ms }) => `${ms.toFixed(0)} ms ${what}`);
    process.stderr.write(`${about}: ${sorted.length} requests, the longest turns: ${told.slice(0, 3).join('; ')}\n`);
    return told.filter((_, i) => sorted[i]!.ms > longestTurnMs);
  }
}

/** Asks every route with each of these bodies. */
async function probeRoutes(
  bodies: (schema: Schema) => { name: string; field?: string; json: string }[],
  check: (status: number, text: string) => boolean,
): Promise<Probe> {
  const probe = new Probe();
  for (const { route, schema } of routes) {
    for (const { name, field = '', json } of bodies(schema)) {
      await probe.make(`${route.method} ${route.path} ${field} ${name}`, async () => {
        const { status, text } = await send(route, json);
        return check(status, text) ? null : `${status} with ${text.length} bytes: ${text.slice(0, 120)}`;
      });
    }
  }
  return probe;
}

const short = (text: string) => text.length < 16_384;

it(
  'no request over REST holds up the others, not the largest that is allowed',
  async () => {
    await send(routes[0]!.route, '{}');
    const { usedMb } = await watch.memory();
    const isAnswered = (status: number, text: string) => status < 500 && !text.includes('INVALID_JSON');
    const probe = await probeRoutes(largestBodies, isAnswered);
    expect(probe.wrong).toEqual([]);
    expect(probe.tooLong('largest bodies')).toEqual([]);
    expect((await watch.memory()).usedMb - usedMb).toBeLessThan(keptMb);
  },
  timeout,
);

it(
  'nor one that is far beyond every bound, and its answer is short',
  async () => {
    const { usedMb } = await watch.memory();
    const isRefused = (status: number, text: string) => status < 500 && short(text);
    const probe = await probeRoutes(hostileBodies, isRefused);
    expect(probe.wrong).toEqual([]);
    expect(probe.tooLong('bodies beyond all bounds')).toEqual([]);
    expect((await watch.memory()).usedMb - usedMb).toBeLessThan(keptMb);
  },
  timeout,
);

const { grpcFields, grpcMessageBytes } = requestLimits;
const room = grpcMessageBytes - 65_536;
const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 'x']));
const [queue_name, worker_id, job_id] = ['large', 'w', randomUUID()];
/** For each RPC its fields of any length, in a message that is else in order. */
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
};

/** The largest that each kind of field may be, and what is beyond. */
function largeValues(value: unknown): Record<string, unknown> {
  if (typeof value === 'string') return { 'a text': 'x'.repeat(room) };
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

it(
  'nor any over gRPC',
  async () => {
    const probe = new Probe();
    for (const [method, message] of Object.entries(messages)) {
      for (const [field, own] of Object.entries(message)) {
        for (const [name, value] of Object.entries(largeValues(own))) {
          await probe.make(`${method} ${field} ${name}`, async () => {
            const { code, details } = await grpc.refusal(method, { ...message, [field]: value });
            const isFine = ['OK', 'INVALID_ARGUMENT', 'NOT_FOUND'].includes(code ?? '') && short(details);
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
