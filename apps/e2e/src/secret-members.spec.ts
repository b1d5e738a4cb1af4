import { randomUUID } from 'node:crypto';
import { type Role, roles } from '@spooled/domain';
import { eventually } from '@spooled/testing';
import { bodyOf, type DescribedRoute, gatewayRoutes, ingestionRoutes } from './api-description.js';
import { type Mark, MarkedBodies, type Secrecy } from './marked-bodies.js';
import { RestCaller, type RestResponse } from './rest-caller.js';
import { openSse, type SseText } from './tenant-streams.js';
import { TraceCollector } from './trace-collector.js';
import { type Tenant, TwoTenants } from './two-tenants.js';

const collector = new TraceCollector();
let tenants: TwoTenants;
let alice: Tenant;
let bodies: MarkedBodies;
const streams = new Map<Role, SseText>();
/** Responses to the requests with marked bodies, by route. */
const written = new Map<string, RestResponse>();
const admin = () => new RestCaller(tenants.stack.baseUrl, null, { 'x-admin-key': tenants.stack.adminKey });

beforeAll(async () => {
  const endpoint = await collector.start();
  tenants = await TwoTenants.open({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_BSP_SCHEDULE_DELAY: '100' } });
  ({ alice } = tenants);
  for (const role of ['admin', 'viewer', 'worker'] as const) {
    streams.set(role, await openSse(`${tenants.stack.baseUrl}/api/v1/events`, await alice.keyAs(role)));
  }
  bodies = new MarkedBodies(validValues());
  const isQueues = ({ path }: DescribedRoute) => Number(path.startsWith('/api/v1/queues'));
  const routes = [...gatewayRoutes(), ...ingestionRoutes()];
  // Queues first, because jobs may have a receiver only where their queue pushes.
  for (const route of routes.sort((a, b) => isQueues(b) - isQueues(a))) await write(route);
  await callReceiver();
});
afterAll(async () => {
  for (const stream of streams.values()) stream.close();
  await tenants?.close();
  await collector.stop();
});

const validValues = () => ({
  queue_name: alice.secret,
  api_key_id: undefined,
  queues: [alice.secret],
  cron_expression: '0 4 1 1 *',
  timezone: 'UTC',
  events: ['job.failed', 'job.completed'],
  job_ids: alice.ids['/jobs'],
  role: 'viewer',
  plan_tier: 'enterprise',
  format: 'json',
  worker_id: alice.secret,
  hostname: alice.secret,
  strategy: 'fixed',
  key: 'step',
  is_active: true,
  schema: { type: 'object' },
  compatibility: 'none',
  limit: 100,
  level: 'info',
  after: undefined,
  all: undefined,
  custom_limits: undefined,
  dead_after: undefined,
  dead_before: undefined,
  depends_on: undefined,
  dependency_mode: 'all',
  duration_seconds: undefined,
  from_job: undefined,
  group_id: undefined,
  idempotency_key: undefined,
  multiplier: undefined,
  jitter_ratio: undefined,
  max_delay_ms: undefined,
  older_than: undefined,
  parent_job_id: undefined,
  permissions: undefined,
  rate_limit: undefined,
  return_url: undefined,
  scheduled_at: undefined,
  stages: undefined,
  status: undefined,
});

const leasedActs = /^\/jobs\/\{id\}\/(complete|fail|heartbeat|release|progress|logs|steps|wait)$/;

/** Sends a body with marks to the route. */
async function write({ method, path, operation }: DescribedRoute): Promise<void> {
  const schema = bodyOf(operation);
  if (!schema) return;
  const route = `${method} ${path.slice('/api/v1'.length)}`;
  const body = bodies.bodyFor(route, schema) as Record<string, unknown>;
  if ('slug' in body) body.slug = `m-${randomUUID()}`;
  if ('dry_run' in (schema.properties ?? {})) body.dry_run = true;
  const short = path.slice('/api/v1'.length);
  const lease = leasedActs.test(short) ? await newLease() : undefined;
  if (lease) {
    body.lease_id = lease.lease_id;
    alice.ids['/jobs']!.unshift(lease.id);
  }
  const caller = short.startsWith('/admin/') ? admin() : alice.rest;
  const response = await caller.send(method, lease ? short.replace('{id}', lease.id) : pathsOf(short)[0]!, body);
  written.set(route, response);
  // Other organizations are no data of this one.
  if (response.status < 300 && !short.endsWith('/organizations')) remember(short, response.body);
}

/** Keeps the ids of what a request has created, so that it is read later. */
function remember(path: string, body: unknown): void {
  const idsOf = (name: string) =>
    [...JSON.stringify(body).matchAll(new RegExp(`"${name}":"([\\w-]+)"`, 'g'))].map(([, id]) => id!);
  alice.ids['/jobs']!.unshift(...idsOf('job_id'));
  alice.ids[collectionOf(path.replace('/bulk', ''))]?.unshift(...idsOf('workflow_id'), ...idsOf('id'));
}

const collectionOf = (path: string): string => path.replaceAll(/\{[^}]+\}/g, '{}');

/** The path with each id of its last collection. */
function pathsOf(path: string): string[] {
  const collections = [...path.matchAll(/\/\{[^}]+\}/g)].map(({ index }) => collectionOf(path.slice(0, index)));
  if (collections.length === 0) return [path];
  const ids = collections.map((collection) => idsIn(collection));
  return ids.at(-1)!.map((last) => {
    let i = 0;
    return path.replaceAll(/\{[^}]+\}/g, () => (++i < ids.length ? ids[i - 1]![0]! : last));
  });
}

/** @throws Error for a collection without ids, so that a new resource is not left out */
function idsIn(collection: string): string[] {
  if (collection === '/webhooks') return [alice.organizationId];
  if (collection === '/organizations/check-slug') return ['a-slug'];
  const found = alice.ids[collection];
  if (!found?.[0]) throw new Error(`two-tenants.ts creates nothing in ${collection}`);
  return found;
}

/** Lets the marked job fail at its receiver, so that errors and deliveries exist. */
async function callReceiver(): Promise<void> {
  await alice.rest.post(`/queues/${alice.secret}/resume`);
  const { id } = written.get('POST /jobs')!.body as { id: string };
  await eventually(async () => expect((await alice.rest.get(`/jobs/${id}`)).body.status).toBe('deadletter'));
  const webhook = written.get('POST /outgoing-webhooks')!.body as { id: string };
  await eventually(async () => {
    const { body } = await alice.rest.get(`/outgoing-webhooks/${webhook.id}/deliveries`);
    expect(body).toContainEqual(expect.objectContaining({ event: 'job.failed', error: expect.any(String) }));
  });
}

/** A job of a queue without a receiver, claimed. */
async function newLease(): Promise<{ id: string; lease_id: string }> {
  await alice.rest.post('/jobs', { queue_name: 'plain', payload: {}, max_retries: 0 });
  const { body } = await alice.rest.post('/jobs/claim', { queue_name: 'plain', worker_id: alice.secret });
  return body.jobs[0];
}

/** A path that was read, with its route and the response. */
interface Read {
  route: string;
  path: string;
  text: string;
}

const readable = (prefix = ''): Omit<Read, 'text'>[] =>
  gatewayRoutes()
    .filter(({ method, path }) => method === 'GET' && path.startsWith(`/api/v1/${prefix}`))
    .map(({ path }) => path.slice('/api/v1'.length))
    .flatMap((route) => pathsOf(route).map((path) => ({ route, path })));

async function readAs(caller: RestCaller, paths: Omit<Read, 'text'>[]): Promise<Read[]> {
  const reads = [];
  for (const { route, path } of paths) {
    reads.push({ route, path, text: JSON.stringify((await caller.get(withQuery(path))).body) });
  }
  return reads;
}

const readWith = async (role: Role, paths: Omit<Read, 'text'>[]): Promise<Read[]> =>
  readAs(new RestCaller(tenants.stack.baseUrl, await alice.keyAs(role)), paths);

/** All that an administrator of the organization reads: hundreds of requests, so once for all tests. */
const readByAdmin = (): Promise<Read[]> => (adminReads ??= readWith('admin', readable()));
let adminReads: Promise<Read[]> | undefined;

/** The paths by which an administrator reads something that other roles may not, and those of routes that have none such once. */
async function pathsWithSecrets(): Promise<Read[]> {
  const reads = await readByAdmin();
  const firsts = new Map(reads.map((read) => [read.route, read]).reverse() as [string, Read][]);
  return reads.filter(
    (read) => firsts.get(read.route) === read || membersIn(read.text, ...hiddenFrom.viewer).length > 0,
  );
}

const withQuery = (path: string): string => {
  if (path === '/jobs/status') return `${path}?ids=${alice.ids['/jobs']!.join()}`;
  return path;
};

const hiddenFrom: Record<Role, Secrecy[]> = {
  admin: ['none'],
  operator: ['none', 'owners'],
  viewer: ['none', 'owners', 'changers'],
  worker: ['none', 'owners', 'changers'],
};
/** What no record of a request may contain. */
const hiddenInRecords: Secrecy[] = ['none', 'owners', 'changers', 'readers'];

const marksIn = (text: string): Mark[] =>
  [...new Set(text.match(/marked\d+x/g) ?? [])].map((found) => bodies.marks.find((one) => one.text === found)!);
const membersIn = (text: string, ...secrecies: Secrecy[]): string[] =>
  marksIn(text)
    .filter(({ secrecy }) => secrecies.includes(secrecy))
    .map(({ member }) => member);

describe('BX-23 marked secrets in every member of every body', () => {
  it('are accepted by all routes but those that need another credential or state', () => {
    const refused = [...written].filter(([, { status }]) => status >= 300).map(([route]) => route);
    expect(refused.sort()).toEqual([
      'POST /auth/email/start',
      'POST /auth/login',
      'POST /auth/logout',
      'POST /auth/refresh',
      'POST /billing/portal',
      'POST /console/login-links/preview',
      'POST /console/session',
      'POST /console/sign-in',
      // `force` and `grace_seconds` exclude each other.
      'POST /jobs/{id}/cancellation',
      'POST /jobs/{id}/dependencies',
      'POST /signals',
      'POST /webhooks/{organizationId}/custom',
      'POST /webhooks/{organizationId}/github',
      'POST /webhooks/{organizationId}/standard',
      'POST /webhooks/{organizationId}/stripe',
      'POST /worker-versions/drain',
      'POST /worker-versions/resume',
      'POST /workflows/{id}/retry',
    ]);
    expect(bodies.marks.filter(({ secrecy }) => secrecy === 'none').length).toBeGreaterThan(20);
  });

  it('are in no response to the request that sends them', () => {
    for (const [route, { body }] of written) {
      expect([route, membersIn(JSON.stringify(body), 'none')]).toEqual([route, []]);
    }
  });

  it.each(roles)('are not read by a key with the role %s', async (role) => {
    const hidden = hiddenFrom[role];
    const reads = await (role === 'admin' ? readByAdmin() : readWith(role, await pathsWithSecrets()));
    for (const { route, text } of reads) {
      expect([route, membersIn(text, ...hidden)]).toEqual([route, []]);
      if (route === '/audit') expect(membersIn(text, ...hiddenInRecords)).toEqual([]);
    }
  });

  it('are not read by the administrator', async () => {
    for (const { route, text } of await readAs(admin(), readable('admin/'))) {
      expect([route, membersIn(text, 'none')]).toEqual([route, []]);
      if (route === '/admin/audit') expect(membersIn(text, ...hiddenInRecords)).toEqual([]);
    }
  });

  it('are in no log line, span or live event', async () => {
    const { stack } = tenants;
    const lines = stack.services.flatMap((service) => stack.logs(service));
    expect(lines.length).toBeGreaterThan(written.size);
    expect(membersIn(lines.join('\n'), ...hiddenInRecords)).toEqual([]);
    await eventually(() => expect(collector.spans.length).toBeGreaterThan(written.size));
    expect(membersIn(JSON.stringify(collector.spans), ...hiddenInRecords)).toEqual([]);
    for (const { text } of streams.values()) expect(membersIn(text, ...hiddenFrom.viewer)).toEqual([]);
  });

  it('are read, where they are receivers, by those who may change them', async () => {
    const texts = (await readByAdmin()).map(({ text }) => text);
    const shown = membersIn(texts.join(), 'owners', 'changers').filter(
      (member) => member.endsWith('url') || member.endsWith('webhook'),
    );
    expect([...new Set(shown)].sort()).toEqual([
      'POST /batches/{id}/jobs jobs.0.callback_url',
      'POST /batches/{id}/jobs jobs.0.completion_webhook',
      'POST /jobs callback_url',
      'POST /jobs completion_webhook',
      'POST /jobs/bulk jobs.0.callback_url',
      'POST /jobs/bulk jobs.0.completion_webhook',
      'POST /workflows jobs.0.callback_url',
      'POST /workflows jobs.0.completion_webhook',
      // It is the last of three routes that replace them.
      'PUT /admin/organizations/{id} settings.callback_url',
      'PUT /outgoing-webhooks/{id} url',
      'PUT /queues/{name}/config settings.callback_url',
      'PUT /schedules/{id} callback_url',
    ]);
  });
});
