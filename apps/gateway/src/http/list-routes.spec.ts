import { randomUUID } from 'node:crypto';
import { createTenant, useSuperuser, useTenant } from '@spooled/testing';
import { randomAddress, type TestResponse, useGateway } from '../gateway.fixture.js';

const adminKey = 'an administrator key of these specs';
const rows = 5;

const { database, gateway } = useGateway({ ADMIN_API_KEY: adminKey, TRUSTED_PROXY_HOPS: '1' });
const tenant = useTenant(database);
const superuser = useSuperuser(database);

const post = (path: string, body: object) => gateway.request('POST', path, tenant.key, body);
const created = async (path: string, body: object): Promise<string> => (await post(path, body)).body.id as string;
const numbers = Array.from({ length: rows }, (_, i) => i);

async function get(path: string): Promise<TestResponse> {
  const response = await gateway.app.inject({
    url: `/api/v1${path}`,
    headers: { authorization: `Bearer ${tenant.key}`, 'x-admin-key': adminKey, 'x-forwarded-for': randomAddress() },
  });
  return { status: response.statusCode, headers: response.headers, body: response.json() };
}

const createJobs = (queue = 'mail') =>
  post('/jobs/bulk', { queue_name: queue, jobs: numbers.map((i) => ({ payload: i })) });

const createQueues = async () => void (await Promise.all(numbers.map((i) => createJobs(`q${i}`))));

async function createWorkflow(): Promise<string> {
  const jobs = numbers.map((i) => ({ key: `job-${i}`, queue_name: 'mail', payload: i }));
  return (await post('/workflows', { name: 'paged', jobs })).body.workflow_id as string;
}

async function createBatch(): Promise<string> {
  const id = await created('/batches', { name: 'paged' });
  await post(`/batches/${id}/jobs`, { queue_name: 'mail', jobs: numbers.map((i) => ({ payload: i })) });
  return id;
}

const createSchedule = () =>
  created('/schedules', { name: 'n', cron_expression: '0 0 1 1 *', queue_name: 'mail', payload_template: {} });
const createWebhook = () =>
  created('/outgoing-webhooks', { name: 'n', url: 'https://example.com', events: ['job.created'] });

async function deadLetters(): Promise<void> {
  await post('/jobs/bulk', { queue_name: 'dead', jobs: numbers.map((i) => ({ payload: i, max_retries: 0 })) });
  const { body } = await post('/jobs/claim', { queue_name: 'dead', worker_id: 'w', limit: rows });
  for (const { id } of body.jobs as { id: string }[]) await post(`/jobs/${id}/fail`, { worker_id: 'w', error: 'no' });
}

const insert = async (sql: string, values: unknown[]) => void (await superuser.query(sql, values));

/** As the webhooks service records them. */
const recordInbound = () =>
  insert(
    `INSERT INTO inbound_deliveries (id, organization_id, provider, event_type, matched_queue, job_id, status)
     SELECT uuidv7(), $1, 'custom', 'e' || n, 'mail', gen_random_uuid(), 'created' FROM generate_series(1, $2) AS n`,
    [tenant.organizationId, rows],
  );

/** Creates the rows of each list and returns the value of its path parameter. */
const lists: Record<string, { fill: () => Promise<string | void>; id: string }> = {
  '/jobs': { id: 'id', fill: async () => void (await createJobs()) },
  '/jobs/dlq': { id: 'id', fill: deadLetters },
  '/jobs/dlq/groups': {
    id: 'id',
    fill: async () => {
      for (const i of numbers) {
        const queue_name = `dead-${i}`;
        const id = await created('/jobs', { queue_name, payload: i, max_retries: 0 });
        await post('/jobs/claim', { queue_name, worker_id: 'w' });
        await post(`/jobs/${id}/fail`, { worker_id: 'w', error: 'no' });
      }
    },
  },
  '/audit': { id: 'id', fill: async () => void (await Promise.all(numbers.map(createSchedule))) },
  '/admin/audit': { id: 'id', fill: async () => void (await Promise.all(numbers.map(createSchedule))) },
  '/operations': {
    id: 'id',
    fill: async () => void (await Promise.all(numbers.map(() => post('/jobs/dlq/replays', { all: true })))),
  },
  '/operations/{id}/jobs': {
    id: 'job_id',
    fill: async () => {
      const id = await created('/jobs/dlq/replays', { all: true });
      await insert(
        `INSERT INTO operation_items (operation_id, organization_id, job_id, state)
         SELECT $1, $2, gen_random_uuid(), 'succeeded' FROM generate_series(1, $3)`,
        [id, tenant.organizationId, rows],
      );
      return id;
    },
  },
  '/queues': { id: 'queue_name', fill: createQueues },
  '/queue-explanations': { id: 'queue_name', fill: createQueues },
  '/workers': {
    id: 'id',
    fill: async () => {
      for (const i of numbers)
        await post('/workers/register', { queue_name: 'mail', hostname: 'h', worker_id: `w${i}` });
    },
  },
  '/schedules': { id: 'id', fill: async () => void (await Promise.all(numbers.map(createSchedule))) },
  '/schedules/{id}/history': {
    id: 'id',
    fill: async () => {
      const id = await createSchedule();
      for (const _ of numbers) await post(`/schedules/${id}/trigger`, {});
      return id;
    },
  },
  '/workflows': { id: 'id', fill: async () => void (await Promise.all(numbers.map(createWorkflow))) },
  '/workflows/{id}/jobs': { id: 'id', fill: createWorkflow },
  '/workflows/{id}/jobs/status': { id: 'job_id', fill: createWorkflow },
  '/batches': { id: 'id', fill: async () => void (await Promise.all(numbers.map(createBatch))) },
  '/batches/{id}/jobs': { id: 'id', fill: createBatch },
  '/outgoing-webhooks': { id: 'id', fill: async () => void (await Promise.all(numbers.map(createWebhook))) },
  '/outgoing-webhooks/{id}/deliveries': {
    id: 'id',
    fill: async () => {
      const id = await createWebhook();
      await createJobs();
      return id;
    },
  },
  '/api-keys': { id: 'id', fill: async () => void (await Promise.all(numbers.map((i) => tenant.keyFor(`q${i}`)))) },
  '/organizations': { id: 'id', fill: () => Promise.resolve() },
  '/organizations/{id}/members': { id: 'id', fill: () => Promise.resolve(tenant.organizationId) },
  '/webhooks/deliveries': { id: 'id', fill: recordInbound },
  '/admin/isolation-checks': {
    id: 'id',
    fill: () =>
      insert(
        `INSERT INTO isolation_checks (started_at, version, passed, tables_checked, findings, tables_not_checked)
         SELECT now(), 'spec', true, n, '[]', '{}' FROM generate_series(1, $1) AS n`,
        [rows],
      ),
  },
  '/admin/organizations': {
    id: 'id',
    fill: async () => void (await Promise.all(numbers.map(() => createTenant(database.superuserUrl)))),
  },
};

interface Operation {
  parameters?: { name: string; in: string }[];
  responses: Record<string, { content?: Record<string, { schema: { type?: string; anyOf?: object[] } }> }>;
}

/** The routes below /api/v1 whose response is a list, with their query parameters. */
async function listRoutes(): Promise<{ path: string; parameters: string[]; paged: boolean }[]> {
  const { body } = await get('/openapi.json');
  return Object.entries(body.paths as Record<string, { get?: Operation }>).flatMap(([path, { get: operation }]) => {
    const schema = operation?.responses[200]?.content?.['application/json']?.schema;
    const paged = JSON.stringify(schema?.anyOf ?? []).includes('"has_more"');
    if (!operation || (schema?.type !== 'array' && !paged)) return [];
    const parameters = (operation.parameters ?? []).flatMap((one) => (one.in === 'query' ? [one.name] : []));
    return [{ path: path.replace('/api/v1', ''), parameters, paged }];
  });
}

/** Lists that have all rows in one response: the jobs that the caller names, and the plans. */
const unpaged = ['/admin/plans', '/jobs/status'];
/** Lists without a cursor: their order changes between requests, or is not that of stored keys. They have `X-Has-More` too. */
const byOffset = ['/jobs/{id}/history'];
/** Lists whose filters no index answers, and the one that may have a million rows. */
const withAfter = [
  '/admin/audit',
  '/audit',
  '/batches',
  '/batches/{id}/jobs',
  '/jobs',
  '/jobs/dlq',
  '/operations',
  '/outgoing-webhooks/{id}/deliveries',
  '/schedules',
  '/webhooks/deliveries',
  '/workflows',
];
const idsOf = (found: Record<string, string>[], id: string) => found.map((row) => row[id]!);
const rowsOf = ({ body }: TestResponse): Record<string, string>[] => body.data ?? body.organizations ?? body;

describe('every list route', () => {
  it('has limit, offset and cursor', async () => {
    const routes = await listRoutes();
    expect(routes.flatMap(({ path, paged }) => (paged ? [path] : [])).sort()).toEqual(Object.keys(lists).sort());
    const others = routes.flatMap(({ path, paged }) => (paged ? [] : [path]));
    expect(others.sort()).toEqual([...unpaged, ...byOffset].sort());
    for (const { path, parameters, paged } of routes) {
      const expected = paged ? ['limit', 'offset', 'cursor'] : byOffset.includes(path) ? ['limit', 'offset'] : [];
      expect(parameters).toEqual(expect.arrayContaining(expected));
    }
  });

  it('rejects unknown query parameters by their names', async () => {
    const found: string[] = [];
    for (const { path } of await listRoutes()) {
      const url = path.replace('{id}', path.startsWith('/organizations') ? tenant.organizationId : randomUUID());
      const { status, body } = await get(`${url}?no_such_filter=1&Limit=5`);
      const named = Object.keys((body.details ?? {}) as object)
        .sort()
        .join();
      if (status !== 400 || body.code !== 'VALIDATION_ERROR' || named !== 'Limit,no_such_filter')
        found.push(`${path}: ${status} ${JSON.stringify(body)}`);
    }
    expect(found).toEqual([]);
  });

  it.each(Object.entries(lists))(
    'SP-17 %s pages by offset and by cursor, with X-Has-More',
    async (path, { fill, id }) => {
      const url = path.replace('{id}', (await fill()) || '');
      const whole = await get(`${url}?limit=100`);
      const all = idsOf(rowsOf(whole), id);
      expect(all.length).toBeGreaterThanOrEqual(path === '/organizations' ? 1 : rows);
      expect(new Set(all).size).toBe(all.length);
      expect(whole.headers['x-has-more']).toBe('false');

      const inPages: string[] = [];
      for (let offset = 0, more = 'true'; more === 'true'; offset += 2) {
        const page = await get(`${url}?limit=2&offset=${offset}`);
        more = page.headers['x-has-more'] as string;
        expect([page.status, page.headers.link !== undefined]).toEqual([200, more === 'true']);
        inPages.push(...idsOf(rowsOf(page), id));
      }
      expect(inPages).toEqual(all);
      expect(rowsOf(await get(`${url}?offset=${Number.MAX_SAFE_INTEGER}`))).toEqual([]);

      const byCursor: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: TestResponse = await get(`${url}?limit=2&cursor=${cursor}`);
        expect([page.status, page.headers['x-has-more']]).toEqual([200, String(page.body.has_more)]);
        expect(page.body.next_cursor !== null).toBe(page.body.has_more);
        byCursor.push(...idsOf(page.body.data as Record<string, string>[], id));
        cursor = page.body.next_cursor as string | null;
      }
      expect(byCursor.toSorted()).toEqual(all.toSorted());
      if (path !== '/workers') expect(byCursor).toEqual(all);
      expect((await get(`${url}?cursor=nonsense`)).body.details).toHaveProperty('cursor');
    },
  );

  it('SP-91 SP-17 that is searched in parts, or long, has `after`, which continues an array', async () => {
    const searched = (await listRoutes()).filter(({ parameters }) => parameters.includes('after'));
    expect(searched.map(({ path }) => path).sort()).toEqual(withAfter);
    for (const { path } of searched) {
      const { fill, id } = lists[path]!;
      const url = path.replace('{id}', (await fill()) || '');
      const all = idsOf(rowsOf(await get(`${url}?limit=5`)), id);
      const first = await get(`${url}?limit=2`);
      const rest = await get(`${url}?limit=3&after=${first.headers['x-next-cursor']}`);
      expect([path, idsOf([...rowsOf(first), ...rowsOf(rest)], id)]).toEqual([path, all]);
      expect((await get(`${url}?after=nonsense`)).body.details).toHaveProperty('after');
    }
  });

  it.each(['created_at', 'updated_at', 'name', 'slug', 'plan_tier'])(
    'SP-17 pages organizations by cursor in the order of %s, both ways',
    async (order) => {
      await lists['/admin/organizations']!.fill();
      for (const direction of ['asc', 'desc']) {
        const url = `/admin/organizations?sort_by=${order}&sort_order=${direction}`;
        const all = idsOf(rowsOf(await get(`${url}&limit=100`)), 'id');
        const first = (await get(`${url}&limit=3&cursor=`)).body;
        const second = (await get(`${url}&limit=100&cursor=${first.next_cursor}`)).body;
        expect([...idsOf(first.data, 'id'), ...idsOf(second.data, 'id')]).toEqual(all);
      }
    },
  );

  it('SP-17 SP-100 lists more than 100 queues and jobs, at most 100 on a page', async () => {
    const { key } = await createTenant(database.superuserUrl);
    const ask = (path: string) => gateway.request('GET', path, key);
    const names = Array.from({ length: 122 }, (_, i) => `queue-${String(i).padStart(3, '0')}`);
    for (const queue_name of names) await gateway.request('POST', '/jobs', key, { queue_name, payload: 1 });
    const first = await ask('/queues');
    expect([rowsOf(first).length, first.headers['x-has-more']]).toEqual([100, 'true']);
    const second = await ask('/queues?offset=100');
    expect(idsOf([...rowsOf(first), ...rowsOf(second)], 'queue_name')).toEqual(names);
    expect(second.headers['x-has-more']).toBe('false');
    for (const path of ['/queues', '/jobs']) {
      const largest = await ask(`${path}?limit=1000`);
      expect([path, rowsOf(largest).length, largest.headers['x-has-more']]).toEqual([path, 100, 'true']);
    }
  });

  it('SP-60 a cursor of another organization shows nothing of it', async () => {
    await createJobs();
    const { body } = await get('/jobs?limit=1&cursor=');
    const other = await createTenant(database.superuserUrl);
    const page = await gateway.request('GET', `/jobs?cursor=${body.next_cursor}`, other.key);
    expect(page.body).toEqual({ data: [], next_cursor: null, has_more: false });
  });
});
