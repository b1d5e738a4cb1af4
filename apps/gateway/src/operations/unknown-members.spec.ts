import { useTenantForEach } from '@spooled/testing';
import { useGateway } from '../gateway.fixture.js';

interface Route {
  requestBody?: {
    content: Record<string, { schema: { properties: Record<string, object>; additionalProperties?: boolean } }>;
  };
  responses: Record<string, { content?: Record<string, { schema: { properties?: object } }> }>;
}

const { database, gateway } = useGateway();
const tenant = useTenantForEach(database);

/** Bodies that routes of operations accept; absent = an empty one. */
const accepted: Record<string, object> = {
  '/jobs/dlq/replays': { all: true },
  '/jobs/dlq/purges': { all: true, confirm: true },
  '/jobs/cancellations': { queue_name: 'mail' },
  '/jobs/priority-changes': { queue_name: 'mail', priority: 1 },
  '/jobs/activations': { queue_name: 'mail' },
  '/jobs/moves': { queue_name: 'mail', to_queue: 'bills' },
  '/jobs/payload-patches': { queue_name: 'mail', payload_patch: { a: 1 } },
  '/jobs/deletions': { queue_name: 'mail', confirm: true },
  '/outgoing-webhooks/{id}/resends': { since: '2026-01-01T00:00:00Z' },
  '/queues/{name}/deletions': {},
};
/** The published routes with a filter of each. */
const published: Record<string, string[]> = {
  '/jobs/dlq/retry': ['job_ids', 'queue_name'],
  '/jobs/dlq/purge': ['job_ids', 'queue_name', 'older_than', 'older_than_days'],
};

const camelCase = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Each route that answers with an operation, by its path below /api/v1, and the members of its body. */
async function operationRoutes(): Promise<[path: string, members: string[]][]> {
  const { body } = await gateway.request('GET', '/openapi.json', null);
  return Object.entries(body.paths as Record<string, Record<string, Route>>).flatMap(([path, { post }]) => {
    const shown = Object.values(post?.responses ?? {}).map(({ content }) => content?.['application/json']?.schema);
    if (!shown.some((schema) => schema?.properties && 'ended_otherwise' in schema.properties)) return [];
    const members = Object.keys(post?.requestBody?.content['application/json']?.schema.properties ?? {});
    return [[path.replace('/api/v1', ''), members] as [string, string[]]];
  });
}

const post = async (path: string, body: object) => {
  const { status, body: answer } = await gateway.request('POST', path, tenant.key, body);
  return [status, Object.keys(answer.details ?? {})];
};

/** Two dead letters and a job that waits, each in a queue of its own, and an operation that is held. */
async function addJobs(): Promise<string> {
  for (const queue_name of ['mail', 'bills']) {
    const { body } = await gateway.request('POST', '/jobs', tenant.key, { queue_name, payload: {}, max_retries: 0 });
    await gateway.request('POST', '/jobs/claim', tenant.key, { queue_name, worker_id: 'w' });
    await gateway.request('POST', `/jobs/${body.id}/fail`, tenant.key, { worker_id: 'w', error: 'broken' });
  }
  await gateway.request('POST', '/jobs', tenant.key, { queue_name: 'mail', payload: {} });
  const { body } = await gateway.request('POST', '/jobs/dlq/replays', tenant.key, { all: true, hold_seconds: 600 });
  return body.id as string;
}

/** Routes with the ids of this operation and of a new webhook. */
async function paths(operationId: string): Promise<(route: string) => string> {
  const webhook = { name: 'w', url: 'https://example.com/', events: ['job.failed'] };
  const { body } = await gateway.request('POST', '/outgoing-webhooks', tenant.key, webhook);
  return (route) =>
    route.replace('webhooks/{id}', `webhooks/${body.id}`).replace('{id}', operationId).replace('{name}', 'mail');
}

const state = async () => ({
  stats: (await gateway.request('GET', '/jobs/stats', tenant.key)).body,
  operations: (await gateway.request('GET', '/operations', tenant.key)).body,
});

describe('a member that an act on many jobs does not know', () => {
  it('BX-15 is refused by name on every route of operations, and nothing changes', async () => {
    const id = await addJobs();
    const pathOf = await paths(id);
    const before = await state();
    const routes = await operationRoutes();
    expect(routes.map(([path]) => path)).toEqual([...Object.keys(accepted), '/operations/{id}/cancel']);
    for (const [route, members] of routes) {
      const path = pathOf(route);
      const body: Record<string, unknown> = { ...accepted[route] };
      for (const name of ['unknown', ...members.map(camelCase).filter((name) => !members.includes(name))]) {
        expect([name, ...(await post(path, { ...body, [name]: 'x' }))]).toEqual([name, 400, [name]]);
      }
      for (const name of members) {
        // In its place, as a caller would misspell it.
        const { [name]: value = true, ...others } = body;
        const [status, named] = await post(path, { ...others, [`${name}s`]: value });
        expect([name, status]).toEqual([name, name in body && !['all', 'queue_name'].includes(name) ? 422 : 400]);
        expect(named).toContain(`${name}s`);
      }
    }
    expect(await state()).toEqual(before);
    for (const [route] of routes) {
      expect((await post(pathOf(route), { ...accepted[route] }))[0]).toBe(route.endsWith('/cancel') ? 200 : 202);
    }
  });

  it.each(Object.entries(published))('BX-15 is ignored on POST %s beside a filter only', async (path, filters) => {
    await addJobs();
    const before = await state();
    const values = { job_ids: [], queue_name: 'mail', older_than: '2000-01-01T00:00:00Z', older_than_days: 100 };
    for (const filter of filters) {
      const name = camelCase(filter);
      expect(await post(path, { [name]: 'mail', limit: 5 })).toEqual([400, [name]]);
      expect(await post(path, { [name]: 'mail', [filter]: null })).toEqual([400, [name]]);
    }
    expect(await state()).toEqual(before);
    for (const filter of filters) {
      const value = values[filter as keyof typeof values];
      expect((await post(path, { [filter]: value, confirm: true, unknown: 1 }))[0]).toBe(200);
    }
    // Filters of the routes of operations, which these do not have.
    for (const name of ['search', 'cause', 'job_type', 'dead_before']) {
      expect(await post(path, { queue_name: 'mail', confirm: true, [name]: 'x' })).toEqual([400, [name]]);
    }
    // Published SDKs cannot say `all`.
    for (const body of [{}, { limit: 5 }, { reason: null }]) expect((await post(path, body))[0]).toBe(200);
  });
});

describe('an act on live jobs without a queue and ids', () => {
  const acts = Object.entries(accepted).filter(([, body]) => 'queue_name' in body);

  it.each(acts)('BX-15 is refused on POST %s', async (path, accepts) => {
    const { queue_name: _, ...body } = accepts as Record<string, unknown>;
    await addJobs();
    const before = await state();
    for (const filter of [{}, { queue_name: null }, { job_ids: null }, { q: 'mail' }, { search: 'queue:mail' }]) {
      expect(await post(path, { ...body, ...filter })).toEqual([400, ['queue_name']]);
    }
    expect(await post(path, { ...body, queue_name: '' })).toEqual([400, ['queue_name']]);
    expect(await post(path, { ...body, job_ids: [] })).toEqual([400, ['job_ids']]);
    expect(await post(path, { ...body, job_ids: 'x' })).toEqual([422, ['job_ids']]);
    expect(await state()).toEqual(before);
    const { body: none } = await gateway.request('POST', path, tenant.key, { ...body, job_ids: ['x'], dry_run: true });
    expect([none.count, none.sample]).toEqual([0, []]);
  });
});

describe('an act on dead letters without a filter', () => {
  it.each(['replays', 'purges'])('BX-15 needs "all": true on POST /jobs/dlq/%s', async (act) => {
    await addJobs();
    const before = await state();
    const request = (body: object) => post(`/jobs/dlq/${act}`, act === 'purges' ? { confirm: true, ...body } : body);
    for (const body of [{}, { all: false }, { all: null }, { queue_name: null, job_ids: null }, { dry_run: true }]) {
      expect(await request(body)).toEqual([400, ['all']]);
    }
    expect(await request({ all: true, queue_name: 'mail' })).toEqual([400, ['all']]);
    expect(await request({ all: 'true' })).toEqual([422, ['all']]);
    expect(await state()).toEqual(before);
    expect(await request({ all: true, dry_run: true })).toEqual([200, []]);
  });
});
