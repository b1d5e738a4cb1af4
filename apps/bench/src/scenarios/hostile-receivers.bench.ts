import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { countRequest } from '../load/http-connection.js';
import { bulkBody } from '../load/payload.js';
import { request } from '../load/request.js';
import { openLoop } from '../load/open-loop.js';
import type { Window } from '../measure/window.js';
import type { BenchRun, Scenario } from '../scenario.js';
import type { BenchStack } from '../stack/bench-stack.js';
import { createTenants, type Tenant } from '../stack/tenants.js';

const attackers = 50;
/** As many as the free plan allows to be active. */
const jobsOfEach = 10;
const quietPerSecond = 5;
const attackedQueue = 'hostile-receiver';
const quietQueue = 'quiet-receiver';
const windowFactor = 2;
/** Deliveries of one hostile tenant that are due at once. */
const backlog = 20_000;

export const hostileReceivers: Scenario = {
  name: 'hostile-receivers',
  what: 'BX-03: when a quiet tenant is called and its webhook delivered, alone, and beside free tenants whose receivers never answer',
  onDemand: true,
  settings: () => ({
    'hostile tenants': attackers,
    'jobs of each, and deliveries': jobsOfEach,
    'quiet jobs a second': quietPerSecond,
    'deliveries of the backlog': backlog,
  }),
  async run(bench) {
    const receiver = await Receiver.open();
    try {
      await measureBoth(bench, receiver);
    } finally {
      await receiver.close();
    }
  },
};

async function measureBoth({ stack, options, compare, measure }: BenchRun, receiver: Receiver): Promise<void> {
  const [quiet] = await createTenants(stack, 1);
  await listen(quiet!, quietQueue, receiver.url('/quiet'), 'job.completed');
  const step = (name: string) =>
    measure({ name, seconds: options.seconds * windowFactor, operationsIn: 'enqueued' }, (window) =>
      quietJobs(window, quiet!, receiver),
    );
  const alone = await step('quiet alone');
  const hostile = await createTenants(stack, attackers, 'free');
  await Promise.all(hostile.map((tenant) => attack(tenant, receiver)));
  await receiver.holds(attackers);
  compare(alone, await step('beside hanging receivers'));
  await allowAllCalls(stack, hostile);
  compare(alone, await step('and no cap by plan'));
  await addBacklog(stack, hostile[0]!);
  compare(alone, await step('and a backlog of deliveries'));
}

/** A push queue and a webhook with the same receiver. */
async function listen(tenant: Tenant, queue: string, url: string, event: string, settings: object = {}): Promise<void> {
  const push = { callback_url: url, concurrency: 100, ...settings };
  await request(tenant, 'PUT', `/queues/${queue}/config`, JSON.stringify({ settings: push }));
  const webhook = { name: queue, url: `${url}/webhook`, events: [event] };
  await request(tenant, 'POST', '/outgoing-webhooks', JSON.stringify(webhook));
}

async function attack(tenant: Tenant, receiver: Receiver): Promise<void> {
  await listen(tenant, attackedQueue, receiver.url('/hang'), 'job.created', { callback_timeout_seconds: 3_600 });
  await request(tenant, 'POST', '/jobs/bulk', bulkBody(attackedQueue, 16, jobsOfEach));
}

const allowAllCalls = ({ superuser }: BenchStack, tenants: Tenant[]): Promise<unknown> =>
  superuser.query(`UPDATE organizations SET custom_limits = '{"max_push_calls": null}' WHERE id = ANY ($1)`, [
    tenants.map(({ organizationId }) => organizationId),
  ]);

/** Due deliveries of the tenant's webhook; the sweep dispatches them. */
const addBacklog = ({ superuser }: BenchStack, { organizationId }: Tenant): Promise<unknown> =>
  superuser.query(
    `INSERT INTO webhook_deliveries (organization_id, webhook_id, event, payload, next_attempt_at)
     SELECT organization_id, id, 'job.created', '{}', now() - interval '1 minute'
     FROM outgoing_webhooks, generate_series(1, $2) WHERE organization_id = $1`,
    [organizationId, backlog],
  );

/** Latencies begin when a request is due, which its job carries as payload and result. */
async function quietJobs(window: Window, quiet: Tenant, receiver: Receiver): Promise<void> {
  let longest = 0;
  receiver.mostHeld = receiver.held;
  receiver.onQuiet = (row, dueAt) => {
    if (window.isOpen && row === 'called') longest = Math.max(longest, performance.now() - dueAt);
    window.count(dueAt, 1, row);
  };
  await openLoop(quiet, window, quietPerSecond, async (connection, dueAt) => {
    const body = JSON.stringify({ queue_name: quietQueue, payload: { dueAt } });
    await countRequest(connection.post('/api/v1/jobs', body), window, 'enqueued', dueAt);
  });
  window.figure('longest until a call, ms', longest, 'called');
  window.figure('most sockets of hostile receivers', receiver.mostHeld, 'called');
}

/** Answers the quiet tenant, and accepts all other calls without ever answering. */
class Receiver {
  /** Calls that are not answered. */
  held = 0;
  /** The most since it was set. */
  mostHeld = 0;
  onQuiet: (row: 'called' | 'delivered', dueAt: number) => void = () => undefined;

  private constructor(private readonly server: Server) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void this.receive(request, response));
  }

  static async open(): Promise<Receiver> {
    const server = createServer({ requestTimeout: 0 });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Receiver(server);
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  /** Resolves when at least so many calls wait for an answer. */
  async holds(calls: number): Promise<void> {
    while (this.held < calls) await sleep(50);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!request.url!.startsWith('/quiet')) {
      this.mostHeld = Math.max(this.mostHeld, ++this.held);
      response.on('close', () => this.held--);
      request.resume();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const isCall = request.url === '/quiet';
    const body = JSON.parse(text) as Call & { data: { result: Call } };
    this.onQuiet(isCall ? 'called' : 'delivered', isCall ? body.dueAt : body.data.result.dueAt);
    response.writeHead(200, { 'content-type': 'application/json' }).end(isCall ? text : '{}');
  }
}

interface Call {
  dueAt: number;
}
