import { createTenant, type TestTenant, useTenant } from '@spooled/testing';
import pg from 'pg';
import { useGateway } from '../gateway.fixture.js';

const { database, gateway } = useGateway();
const tenant = useTenant(database);

const get = (path: string, key = tenant.key) => gateway.request('GET', path, key);
const ids = async (path: string): Promise<string[]> =>
  (await get(path)).body.map(({ id }: { id: string }) => id) as string[];
const create = async (job: object): Promise<string> => {
  const { body } = await gateway.request('POST', '/jobs', tenant.key, { payload: {}, ...job });
  return body.id as string;
};
const query = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString();

describe('filters of job lists', () => {
  it('SP-17 BX-12 GET /jobs returns only jobs that all filters match', async () => {
    const mail = await create({ queue_name: 'mail-1', payload: { job_type: 'invoice' }, tags: { 'ünï/ code': 1 } });
    const later = await create({ queue_name: 'mail-1', scheduled_at: '2099-01-01T00:00:00Z', tags: ['invoice'] });
    await create({ queue_name: 'other-1', payload: { job_type: 'invoice' } });
    const of = (parameters: Record<string, string>) => ids(`/jobs?${query({ queue_name: 'mail-1', ...parameters })}`);
    expect(await of({ tag: 'ünï/ code' })).toEqual([mail]);
    expect(await of({ tag: 'a tag that no job has' })).toEqual([]);
    expect(await of({ job_type: 'invoice' })).toEqual([mail]);
    expect(await of({ job_type: 'Invoice' })).toEqual([]);
    expect(await of({ q: 'INVOICE' })).toEqual([mail]);
    expect(await of({ q: 'MAIL-1' })).toEqual([later, mail]);
    expect(await of({ q: later })).toEqual([later]);
    expect(await of({ q: '%', tag: '', job_type: '' })).toEqual([]);
    expect(await of({ q: '' })).toEqual([later, mail]);
    expect(await of({ status: 'pending,scheduled' })).toEqual([later, mail]);
    expect(await of({ status: 'scheduled', q: 'invoice' })).toEqual([]);
    const { created_at: createdAt } = (await get(`/jobs/${later}`)).body as { created_at: string };
    expect(await of({ created_after: createdAt })).toEqual([later]);
    expect(await of({ created_before: createdAt.replace('Z', '+00:00') })).toEqual([mail]);
    expect(await of({ created_after: createdAt, status: 'pending' })).toEqual([]);
  });

  it('SP-17 either name of the queue filters, also beside an empty one, and both must hold', async () => {
    const named = await create({ queue_name: 'named' });
    await create({ queue_name: 'named-2' });
    const lists = async (parameters: Record<string, string>) => {
      const { body } = await get(`/jobs/stats?${query(parameters)}`);
      return [await ids(`/jobs?${query(parameters)}`), body.total];
    };
    expect(await lists({ queue: 'named' })).toEqual([[named], 1]);
    expect(await lists({ queue_name: '', queue: 'named' })).toEqual([[named], 1]);
    expect(await lists({ queue_name: 'named', queue: 'named' })).toEqual([[named], 1]);
    expect(await lists({ queue_name: 'named-2', queue: 'named' })).toEqual([[], 0]);
  });

  it('SP-17 a search line finds jobs by what they hold, on both lists, within the queues of the key', async () => {
    const mail = await create({ queue_name: 'orders', payload: { order: { id: 4711 } }, tags: { customer: 'a b' } });
    const other = await create({ queue_name: 'orders-2', payload: { order: { id: 4711 } }, idempotency_key: 'k-4711' });
    const search = (line: string, more: Record<string, string> = {}) =>
      ids(`/jobs?${query({ search: line, ...more })}`);
    expect(await search('payload.order.id=4711')).toEqual([other, mail]);
    expect(await search('payload.order.id=4711 queue:orders')).toEqual([mail]);
    expect(await search('queue:orders,orders-2 status:pending created:<1h')).toEqual([other, mail]);
    expect(await search('queue:orders created:>1h')).toEqual([]);
    expect(await search('queue:orders', { queue_name: 'orders-2' })).toEqual([]);
    expect(await search('status:pending', { status: 'scheduled' })).toEqual([]);
    expect(await search('tag:customer="a b"')).toEqual([mail]);
    expect(await search('key:k-4711')).toEqual([other]);
    expect(await search('  ', { queue_name: 'orders' })).toEqual([mail]);
    expect(await ids(`/jobs/dlq?${query({ search: 'queue:orders' })}`)).toEqual([]);
    const { body } = await get(`/jobs?${query({ search: 'queue:orders,orders-2' })}`, await tenant.keyFor('orders'));
    expect(body.map(({ id }: { id: string }) => id)).toEqual([mail]);
  });

  it('SP-17 a search line that cannot be read is refused with the term', async () => {
    for (const path of ['/jobs', '/jobs/dlq']) {
      const { status, body } = await get(`${path}?${query({ search: 'queu:orders' })}`);
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { details: { search: expect.stringMatching(/^"queu:"/) } },
      });
    }
  });

  it('SP-17 an unknown status matches nothing and does not return every job', async () => {
    await create({ queue_name: 'odd' });
    expect(await ids('/jobs?queue_name=odd&status=odd')).toEqual([]);
    expect(await ids('/jobs?queue_name=odd&status=odd%2Cpending')).toHaveLength(1);
    expect(await ids('/jobs?queue_name=odd&status=%20pending,,')).toHaveLength(1);
    expect(await ids('/jobs?queue_name=odd&status=')).toHaveLength(1);
  });

  it('SP-17 X-Has-More says whether another job follows', async () => {
    for (let i = 0; i < 3; i++) await create({ queue_name: 'pages' });
    const more = async (parameters: string) =>
      (await get(`/jobs?queue_name=pages&${parameters}`)).headers['x-has-more'] as string;
    expect(await more('limit=2')).toBe('true');
    expect(await more('limit=2&offset=1')).toBe('false');
    expect(await more('limit=3')).toBe('false');
    expect(await more('limit=2&cursor=')).toBe('true');
    expect(await more('limit=2&status=completed')).toBe('false');
    expect((await get('/jobs/dlq')).headers['x-has-more']).toBe('false');
  });

  it('SP-17 a cursor keeps the order of its list, and is refused in another one', async () => {
    const jobs = [3, -1, 3, 8, -1].map((priority, i) => ({
      payload: {},
      priority,
      ...(i % 2 === 0 && { scheduled_at: `2099-01-0${1 + (i % 4)}T00:00:00Z` }),
    }));
    await gateway.request('POST', '/jobs/bulk', tenant.key, { queue_name: 'sorted', jobs });
    const orders = ['created_at', 'updated_at', 'scheduled_at', 'priority', 'status'];
    for (const [order_by, order_dir] of orders.flatMap((order) => [
      [order, 'asc'] as const,
      [order, 'desc'] as const,
    ])) {
      const of = { queue_name: 'sorted', order_by, order_dir };
      const all = await ids(`/jobs?${query(of)}`);
      expect(all).toHaveLength(jobs.length);
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const { body } = await get(`/jobs?${query({ ...of, limit: '2', cursor })}`);
        seen.push(...(body.data as { id: string }[]).map(({ id }) => id));
        cursor = body.next_cursor as string | null;
      }
      expect(seen).toEqual(all);
      const { headers } = await get(`/jobs?${query({ ...of, limit: '2' })}`);
      const after = headers['x-next-cursor'] as string;
      expect(await ids(`/jobs?${query({ ...of, after })}`)).toEqual(all.slice(2));
      const other = order_by === 'priority' ? 'status' : 'priority';
      for (const name of ['cursor', 'after']) {
        const refused = await get(`/jobs?${query({ ...of, order_by: other, [name]: after })}`);
        expect([refused.status, Object.keys(refused.body.details as object)]).toEqual([400, [name]]);
      }
    }
  });

  it('SP-17 GET /jobs/dlq has the filters and the order of GET /jobs', async () => {
    const job = (job_type: string, priority: number) => ({
      payload: { job_type },
      priority,
      max_retries: 0,
      tags: [job_type],
    });
    const bulk = { queue_name: 'dead', jobs: [job('a', 5), job('b', 1), job('a', 9)] };
    const { body } = await gateway.request('POST', '/jobs/bulk', tenant.key, bulk);
    const [low, other, high] = (body.succeeded as { job_id: string }[]).map(({ job_id }) => job_id);
    await gateway.request('POST', '/jobs/claim', tenant.key, { queue_name: 'dead', worker_id: 'w', limit: 3 });
    for (const id of [low, other, high])
      await gateway.request('POST', `/jobs/${id}/fail`, tenant.key, { worker_id: 'w', error: 'no' });
    const of = (parameters: Record<string, string>) => ids(`/jobs/dlq?${query({ queue_name: 'dead', ...parameters })}`);
    expect(await of({ order_by: 'priority', order_dir: 'desc' })).toEqual([high, low, other]);
    expect(await of({ order_by: 'priority', order_dir: 'asc' })).toEqual([other, low, high]);
    expect(await of({ job_type: 'a', order_by: 'priority' })).toEqual([high, low]);
    expect(await of({ tag: 'b' })).toEqual([other]);
    expect(await of({ q: other!.slice(0, 34), job_type: 'b' })).toEqual([other]);
    expect(await of({ created_before: '2020-01-01T00:00:00Z' })).toEqual([]);
    const page = await get('/jobs/dlq?queue_name=dead&job_type=a&limit=1');
    expect([page.headers['x-has-more'], page.body.length]).toEqual(['true', 1]);
  });

  it('browsers may read X-Has-More', async () => {
    const response = await gateway.app.inject({ url: '/health', headers: { origin: 'https://app.example' } });
    expect(response.headers['access-control-expose-headers']).toContain('x-has-more');
  });

  it.each([
    ['created_after', 'yesterday'],
    ['created_after', '2026-10-01 00:00:00'],
    ['created_before', ''],
    ['created_before', '0000-01-01T00:00:00Z'],
    ['q', 'x'.repeat(256)],
    ['tag', 'x'.repeat(1025)],
    ['job_type', 'x'.repeat(256)],
    ['queue_name', 'x'.repeat(256)],
    ['status', 'x'.repeat(641)],
  ])('rejects %s=%.20s', async (name, value) => {
    for (const path of name === 'status' ? ['/jobs'] : ['/jobs', '/jobs/dlq']) {
      const { status, body } = await get(`${path}?${query({ [name]: value })}`);
      expect([status, body.code, Object.keys(body.details)]).toEqual([400, 'VALIDATION_ERROR', [name]]);
    }
  });

  it('rejects an unknown parameter by its name instead of returning every job', async () => {
    const { status, body } = await get('/jobs?queueName=mail&state=failed&limit=1');
    expect([status, body.code, Object.keys(body.details).sort()]).toEqual([
      400,
      'VALIDATION_ERROR',
      ['queueName', 'state'],
    ]);
    expect(body.message).toMatch(/^queueName: /);
    expect((await get('/jobs/dlq?status=failed')).body.details).toHaveProperty('status');
    expect((await get('/jobs/stats?queueName=mail')).status).toBe(400);
  });

  it('SP-60 a key for other queues finds nothing by any filter', async () => {
    await create({ queue_name: 'secret', payload: { job_type: 'hidden' }, tags: { hidden: 1 } });
    const scoped = await tenant.keyFor('public');
    for (const filter of [
      'q=hidden',
      'q=secret',
      'tag=hidden',
      'job_type=hidden',
      'queue_name=secret',
      'status=pending',
    ])
      expect((await get(`/jobs?${filter}`, scoped)).body).toEqual([]);
  });
});

describe('lists of jobs that few of many match', () => {
  let few: TestTenant;
  let oldest: string;

  /** The oldest of 50,000 jobs has a tag, and the five newest another one. */
  beforeAll(async () => {
    few = await createTenant(database.superuserUrl);
    const superuser = new pg.Client({ connectionString: database.superuserUrl });
    await superuser.connect();
    const { rows } = await superuser.query<{ id: string }>(
      `INSERT INTO jobs (id, organization_id, created_at, updated_at, outcome, timeout_seconds, priority, max_retries, queue_name, payload,
         tags)
       SELECT uuidv7(make_interval(secs => -n)), $1, now() - make_interval(secs => n), now(), 'completed', 300, 0, 3, 'many', '{}',
         CASE WHEN n = 50000 THEN '["rare"]' WHEN n <= 5 THEN '["new"]' END::jsonb
       FROM generate_series(1, 50000) AS n RETURNING id`,
      [few.organizationId],
    );
    await superuser.query('ANALYZE jobs');
    await superuser.end();
    oldest = rows.at(-1)!.id;
  });

  const list = (parameters: string) => get(`/jobs?${parameters}`, few.key);

  it('SP-91 SP-17 GET /jobs searches a bounded number of jobs and continues by `after`, X-Next-Cursor and Link', async () => {
    const found: string[] = [];
    let next = '/api/v1/jobs?tag=rare&limit=5';
    let pages = 0;
    for (; next !== '' && pages < 10; pages++) {
      const { body, headers } = await get(next.replace('/api/v1', ''), few.key);
      found.push(...(body as { id: string }[]).map(({ id }) => id));
      expect(headers['x-has-more']).toBe(String(headers.link !== undefined));
      next = /<(.*)>; rel="next"/.exec((headers.link as string | undefined) ?? '')?.[1] ?? '';
      if (next) expect(new URL(next, 'http://host').searchParams.get('after')).toBe(headers['x-next-cursor']);
    }
    expect(found).toEqual([oldest]);
    expect(pages).toBeGreaterThan(1);
  });

  it('SP-91 SP-17 a page envelope continues where the search ended', async () => {
    const ids: string[] = [];
    let page = { next_cursor: '' as string | null, has_more: true };
    while (page.has_more) {
      const { body } = await list(`tag=rare&cursor=${page.next_cursor}`);
      page = body as typeof page;
      ids.push(...(body as { data: { id: string }[] }).data.map(({ id }) => id));
      expect(page.has_more).toBe(page.next_cursor !== null);
    }
    expect(ids).toEqual([oldest]);
  });

  it('SP-91 SP-17 refuses an offset that would pass over jobs, and pages by offset where every page is full', async () => {
    const first = await list('tag=new&limit=10');
    expect([first.body.length, first.headers['x-has-more']]).toEqual([5, 'true']);
    const { status, body } = await list('tag=new&limit=10&offset=10');
    expect([status, body.code, Object.keys(body.details)]).toEqual([400, 'VALIDATION_ERROR', ['offset']]);
    expect(body.message).toContain('X-Next-Cursor');
    const far = await list('queue_name=many&status=completed&limit=2&offset=49999');
    expect([far.status, far.body.map(({ id }: { id: string }) => id), far.headers['x-has-more']]).toEqual([
      200,
      [oldest],
      'false',
    ]);
    expect((await list(`limit=2&after=${first.headers['x-next-cursor']}`)).body).toHaveLength(2);
    expect((await list('after=nonsense')).body.details).toHaveProperty('after');
  });
});
