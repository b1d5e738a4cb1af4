import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { BatchServiceService, QueueServiceService } from '@spooled/contracts/grpc';
import { jobBody } from '../load/payload.js';
import { request } from '../load/request.js';
import { quietJobs, quietPerSecond, quietRow } from '../load/quiet-jobs.js';
import type { HeldJob } from '../load/work-over-rest.js';
import { MemoryWatch } from '../measure/memory-watch.js';
import type { Window } from '../measure/window.js';
import type { StepReport } from '../report.js';
import type { BenchRun, Scenario } from '../scenario.js';
import type { BenchStack } from '../stack/bench-stack.js';
import { createTenants, type Tenant } from '../stack/tenants.js';

const streams = 100;
/** The largest payload of the largest plan. */
const payloadBytes = 1_048_000;
const jobs = 300;
const dequeues = 256;
const boundMb = 500;
const queue = 'hostile-readers';
const claim = { worker_id: 'unread', lease_duration_secs: 3_600 };

type Close = () => void;

interface Kind {
  /** In the name of its scenario. */
  name: string;
  open(stack: BenchStack, tenant: Tenant): Promise<Close>;
}

const kindScenario = ([kind, { name, open }]: [string, Kind]): Scenario => ({
  name: `hostile-readers-${name}`,
  what: `BX-03: memory of gateway and realtime, and latencies of a quiet tenant, while clients of ${kind} read nothing of the largest payloads`,
  onDemand: true,
  settings: () => ({
    'unread streams': streams,
    'payload bytes': payloadBytes,
    'jobs, of which many are live events too': jobs,
    'quiet jobs a second': quietPerSecond,
  }),
  async run(bench) {
    const { stack, say, compare } = bench;
    const [tenant] = await createTenants(stack, 1);
    await prepare(stack, tenant!);
    const alone = await measureQuiet(bench, 'quiet alone');
    const close = await open(stack, tenant!);
    const beside = await measureQuiet(bench, `beside unread ${kind}`, kind === 'live events' ? tenant : undefined);
    compare(alone, beside);
    say(judge(beside));
    close();
  },
});

function judge({ rows }: StepReport): string {
  const peak = rows.find(({ name }) => name === quietRow)?.figures['gateway MB at peak'] ?? 0;
  return `    bound: gateway ${peak.toFixed(0)} of ${boundMb} MB: ${peak <= boundMb ? 'kept' : 'NOT KEPT'}`;
}

const measureQuiet = ({ stack, options, measure }: BenchRun, name: string, publisher?: Tenant): Promise<StepReport> =>
  measure({ name, seconds: options.seconds * 3, operationsIn: quietRow }, async (window) => {
    const { gateway, realtime } = stack.services;
    const memory = new MemoryWatch({ gateway, realtime });
    await Promise.all([quietJobs(window, stack, 200), publisher && publishLargeEvents(window, publisher)]);
    memory.stop(window, quietRow);
  });

/** Large jobs, and large schedules, whose lists have the largest pages. */
async function prepare({ superuser }: BenchStack, tenant: Tenant): Promise<void> {
  await superuser.query(
    `INSERT INTO schedules (id, organization_id, name, cron_expression, queue_name, payload_template)
     SELECT uuidv7(), $1, 'n', '0 0 1 1 *', 'large', json_build_object('text', repeat('x', 1000000)) FROM generate_series(1, 8)`,
    [tenant.organizationId],
  );
  for (let i = 0; i < jobs; i++) await request(tenant, 'POST', '/jobs', jobBody(queue, payloadBytes));
}

/** Completes jobs with the largest results until the window ends. */
async function publishLargeEvents(window: Window, tenant: Tenant): Promise<void> {
  const small = 'hostile-readers-small';
  const worker = { worker_id: 'publisher', lease_duration_secs: 60 };
  while (!window.over) {
    await request(tenant, 'POST', '/jobs', jobBody(small, 16));
    const claimed = await request(tenant, 'POST', '/jobs/claim', JSON.stringify({ ...worker, queue_name: small }));
    for (const { id, lease_id } of (JSON.parse(claimed) as { jobs: HeldJob[] }).jobs) {
      const result = 'x'.repeat(payloadBytes);
      const body = JSON.stringify({ worker_id: worker.worker_id, lease_id, result });
      await request(tenant, 'POST', `/jobs/${id}/complete`, body);
    }
  }
}

/** Sends the request once, or several times, on each stream. */
function grpcKind<Request>(
  name: string,
  { path, requestSerialize }: { path: string; requestSerialize(request: Request): Buffer },
  request: Request,
  times = 1,
): Kind {
  const messages = new Array<Buffer>(times).fill(requestSerialize(request));
  return { name, open: (stack, tenant) => openGrpc(stack, tenant, path, messages) };
}

const kinds: Record<string, Kind> = {
  StreamBatches: grpcKind('batches', BatchServiceService.streamBatches, {
    ...claim,
    queue_names: [queue],
    prefetch: 1_000,
    batch_size: 100,
  }),
  StreamJobs: grpcKind('jobs', QueueServiceService.streamJobs, { ...claim, queue_name: queue, prefetch: 1_000 }),
  ProcessJobs: grpcKind(
    'process',
    QueueServiceService.processJobs,
    { dequeue: { ...claim, queue_name: queue, batch_size: 1 } },
    dequeues,
  ),
  'REST lists': {
    name: 'lists',
    open: (stack, tenant) => openHttp(stack, tenant, 'GET /api/v1/schedules?limit=8 HTTP/1.1', []),
  },
  'live events': {
    name: 'events',
    open: async (stack, tenant) => {
      const upgrade = [
        'upgrade: websocket',
        'connection: upgrade',
        'sec-websocket-version: 13',
        `sec-websocket-key: ${key}`,
      ];
      const closes = [
        await openHttp(stack, tenant, 'GET /api/v1/events HTTP/1.1', []),
        await openHttp(stack, tenant, 'GET /api/v1/ws HTTP/1.1', upgrade),
      ];
      return () => closes.forEach((close) => close());
    },
  },
};
const key = Buffer.alloc(16, 1).toString('base64');

/** One scenario for each kind: what one leaves in a gateway would count for the next. */
export const hostileReaders: readonly Scenario[] = Object.entries(kinds).map(kindScenario);

async function openGrpc(stack: BenchStack, { apiKey }: Tenant, path: string, messages: Buffer[]): Promise<Close> {
  const sessions: ClientHttp2Session[] = [];
  for (let i = 0; i < streams; i++) {
    if (i % 20 === 0) {
      const session = connectHttp2(`http://${stack.grpcAddress}`);
      session.on('error', () => undefined);
      await once(session, 'connect');
      sessions.push(session);
    }
    const headers = { 'content-type': 'application/grpc', te: 'trailers', 'x-api-key': apiKey };
    const stream = sessions.at(-1)!.request({ ':method': 'POST', ':path': path, ...headers });
    stream.on('error', () => undefined);
    for (const message of messages) {
      const prefix = Buffer.alloc(5);
      prefix.writeUInt32BE(message.length, 1);
      stream.write(Buffer.concat([prefix, message]));
    }
  }
  return () => sessions.forEach((session) => session.destroy());
}

async function openHttp(stack: BenchStack, { apiKey }: Tenant, start: string, headers: string[]): Promise<Close> {
  const sockets: Socket[] = [];
  const { hostname, port } = new URL(stack.baseUrl);
  for (let i = 0; i < streams; i++) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write([start, 'host: spooled', `x-api-key: ${apiKey}`, ...headers, '', ''].join('\r\n'));
    sockets.push(socket);
  }
  return () => sockets.forEach((socket) => socket.destroy());
}
