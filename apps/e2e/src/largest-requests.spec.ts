import { createHmac, randomInt, randomUUID } from 'node:crypto';
import { requestLimits } from '@spooled/contracts';
import { sharedSecrets, type SharedStack, sharedStack, unixSeconds } from '@spooled/testing';
import { bodyOf, gatewayRoutes, ingestionRoutes, type DescribedRoute, type Schema } from './api-description.js';
import { GrpcCaller, struct, type Refusal } from './grpc-caller.js';
import { hasDocuments, hostileBodies, largestBody } from './large-bodies.js';

/** Body limit of routes without a credential. */
const anonymousBodyBytes = 256 * 1024;
const timeout = 600_000;

let stack: SharedStack;
let grpc: GrpcCaller;

beforeAll(async () => {
  stack = await sharedStack();
  grpc = new GrpcCaller(stack.grpcAddresses[0]!, { 'x-api-key': stack.apiKey });
});
afterAll(() => grpc?.close());

const routes = [...gatewayRoutes(), ...ingestionRoutes()].flatMap((route) => {
  const schema = bodyOf(route.operation);
  // A logout would invalidate the credential of the other requests.
  return schema && !route.path.startsWith('/api/v1/auth/logout') ? [{ route, schema }] : [];
});

const sign = (secret: string, ...parts: string[]): string =>
  parts.reduce((sum, part) => sum.update(part), createHmac('sha256', secret)).digest('hex');

/** Signature headers of an incoming webhook. */
function signatureOf(path: string, json: string): Record<string, string> {
  const { github, stripe } = sharedSecrets;
  const seconds = String(unixSeconds());
  if (path.endsWith('/github'))
    return { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${sign(github, json)}` };
  return path.endsWith('/stripe') ? { 'stripe-signature': `t=${seconds},v1=${sign(stripe, `${seconds}.`, json)}` } : {};
}

function headersFor({ operation, path }: DescribedRoute, json: string): Record<string, string> {
  if (operation['x-forwarded']) return signatureOf(path, json);
  const isAdmin = operation.security.some((each) => 'admin' in each);
  return isAdmin ? { 'x-admin-key': stack.adminKey } : { authorization: `Bearer ${stack.apiKey}` };
}

/** Requests to public and admin routes are rate-limited per address. */
const randomAddress = () => [10, randomInt(256), randomInt(256), randomInt(256)].join('.');

async function send(route: DescribedRoute, json: string): Promise<{ status: number; text: string }> {
  const isOwn = route.path.startsWith('/api/v1/organizations/{id}');
  const path = route.path
    .replace('{organizationId}', stack.organizationId)
    .replaceAll(/\{\w+\}/g, isOwn ? stack.organizationId : randomUUID());
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

/** Bodies are read by the service alone, with a limit that depends on the credential; keys and administrators have the same. */
function readerOf({ operation: { security, 'x-forwarded': isForwarded } }: DescribedRoute): string {
  if (isForwarded) return 'webhooks';
  const hasCredential = security.some((each) => 'bearer' in each || 'admin' in each);
  return hasCredential ? 'gateway' : JSON.stringify(security);
}

/** A function that tells whether it meets a value for the first time. */
function firstTimes(): (value: string) => boolean {
  const known = new Set<string>();
  return (value) => known.size < known.add(value).size;
}

/** Sends each body to every route, and returns the responses that are wrong. */
async function probeRoutes(
  bodies: (schema: Schema, reader: string) => { name: string; field?: string; json: string }[],
  check: (status: number, text: string) => boolean,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const { route, schema } of routes) {
    for (const { name, field = '', json } of bodies(schema, readerOf(route))) {
      const { status, text } = await send(route, json);
      if (check(status, text)) continue;
      wrong.push(
        `${route.method} ${route.path} ${field} ${name}: ${status} with ${text.length} bytes: ${text.slice(0, 120)}`,
        ...(status < 500 ? [] : await failuresLogged()),
      );
    }
  }
  return wrong;
}

/** A response does not say why a service failed; its log does. */
const failuresLogged = async () =>
  (await stack.logs('gateway')).filter((line) => /"level":"(warn|error)"/.test(line)).slice(-3);

const short = (text: string) => text.length < 16_384;

it(
  'the largest valid REST requests are read',
  async () => {
    const isValid = (status: number, text: string) =>
      (status < 500 || text.includes('NOT_IMPLEMENTED')) && !text.includes('INVALID_JSON');
    const isFirst = firstTimes();
    const bodies = (schema: Schema, reader: string) => [largestBody(schema, hasDocuments(schema) && isFirst(reader))];
    expect(await probeRoutes(bodies, isValid)).toEqual([]);
  },
  timeout,
);

it(
  'REST requests far over every limit are refused in few words',
  async () => {
    const isRefused = (status: number, text: string) => status < 500 && short(text);
    const isFirst = firstTimes();
    expect(await probeRoutes((schema, reader) => hostileBodies(schema, isFirst(reader)), isRefused)).toEqual([]);
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

/** For each kind of field the largest valid values, and values over the limits. `place`: of the message. */
function largeValues(value: unknown, place: number): Record<string, unknown> {
  if (typeof value === 'string') return { 'a text': 'x'.repeat(65_536) };
  if (Array.isArray(value)) return largeBatches(value[0]);
  if (typeof value !== 'object' || value === null || !('fields' in value)) {
    return { 'all members': members(grpcFields / 3 - 20), 'too many members': members(grpcFields / 2) };
  }
  const structs = Object.entries({
    'all members': () => struct(members(grpcFields / 4 - 20)),
    'all elements': () => struct({ a: Array<number>(grpcFields / 2 - 20).fill(1) }),
    'too many members': () => struct(members(grpcFields / 3)),
    'too many elements': () => struct({ a: Array<number>(grpcFields).fill(1) }),
    'a text': () => struct({ a: 'x'.repeat(room) }),
  });
  // The same code reads all structs: the first message gets all kinds, the others one each.
  const chosen = place === 0 ? structs : [structs[place % structs.length]!];
  return Object.fromEntries(chosen.map(([name, make]) => [name, make()]));
}

/** For a repeated field. `item`: a valid element. */
function largeBatches(item: unknown): Record<string, unknown> {
  if (typeof item !== 'object' || item === null) return { 'too many texts': Array<unknown>(grpcFields).fill(item) };
  const batch = (count: number, text: (bytes: number) => string) => {
    const document = Buffer.from(text(Math.floor(room / count) - 200));
    return Array.from({ length: count }, () => {
      const own = { ...item, job_id: randomUUID() };
      return 'payload' in item ? { ...own, payload: document } : { ...own, complete: { result: document } };
    });
  };
  const list = (element: string, bytes: number) =>
    `[${`${element},`.repeat(bytes / (element.length + 1) - 1)}${element}]`;
  const members = (bytes: number) => `{${Array.from({ length: bytes / 12 }, (_, i) => `"k${i}":1`).join()}}`;
  // All kinds in each, because a batch of 4 MB takes 1 to 3 s.
  const mixed = (bytes: number) => {
    const [few, many] = [Math.min(bytes / 8, 100_000), Math.min(bytes / 4, 150_000)];
    const rest = bytes - 2 * few - many - 60;
    return `{"e":${list('1', few)},"i":${list('1.0', few)},"m":${members(many)},"t":"${'x'.repeat(rest)}"}`;
  };
  return {
    'too many items': Array<unknown>(grpcFields).fill({}),
    // One result is over its limit; a hundred payloads are created.
    'all kinds': batch('payload' in item ? 100 : 1, mixed),
  };
}

it(
  'large gRPC messages are read or refused in few words',
  async () => {
    const wrong: string[] = [];
    for (const [place, [method, message]] of Object.entries(messages).entries()) {
      for (const [field, own] of Object.entries(message)) {
        for (const [name, value] of Object.entries(largeValues(own, place))) {
          const { code, details } = await refusalOf(method, { ...message, [field]: value });
          if (refusals.includes(code ?? '') && short(details)) continue;
          wrong.push(`${method} ${field} ${name}: ${code} ${details.slice(0, 120)}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  },
  timeout,
);
