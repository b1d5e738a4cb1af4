import { parseJobSearch } from '@spooled/domain';
import { useDatabase, useConnections } from '@spooled/testing';
import { repeatableRead } from '../database/limits.js';
import { listJobs, type JobListFilter } from './job-lists.js';
import { type Fixture, organizationWith } from './job-records.fixture.js';
import { listRunningJobs } from '../workers/running-jobs.js';

const testDatabase = useDatabase();
const db = useConnections(testDatabase);

const noFilter: JobListFilter = {
  queues: null,
  statuses: null,
  tag: null,
  jobType: null,
  text: null,
  createdAfter: null,
  createdBefore: null,
  terms: null,
  limit: 50,
  offset: 0,
  orderBy: 'created_at',
  direction: 'desc',
  after: null,
  afterSorted: null,
};

const searchIn = (organizationId: string, line: string, filter: Partial<JobListFilter> = {}) =>
  db.withTenant(
    organizationId,
    (tx) => listJobs(tx, { ...noFilter, terms: parseJobSearch(line), ...filter }),
    repeatableRead,
  );

const order = (id: unknown) => JSON.stringify({ order: { id, lines: [{ sku: 'a-1' }] }, 'a.b': true, note: 'x y' });
const fixtures: Fixture[] = [
  { payload: order(4711), tags: { customer: 4711, urgent: true }, jobType: 'invoice', key: 'order-4711' },
  { payload: order('4711'), tags: ['urgent'], status: 'processing', queue: 'reports', jobType: 'report' },
  { payload: order(4712), status: 'deadletter', error: 'Connection REFUSED by 10.0.0.1', key: 'order-4712' },
  { payload: order(null), status: 'retrying', error: 'timed out', tags: 'urgent' },
  { payload: '{"order":{"id":4711},"text":"\\u0000"}', status: 'completed', queue: 'invoices' },
  { payload: '{"order":{"id":4711},"text":"\\ud800"}', status: 'completed', queue: 'halves' },
  { payload: '{"order":{"id":4713},"text":"\\ud83d\\ude00 \\u00e9"}', status: 'completed', queue: 'escapes' },
].map((fixture, minute) => ({ ...fixture, minute }) as Fixture);

describe('a search of jobs', () => {
  let organizationId: string;
  let ids: string[];
  beforeAll(async () => void ({ organizationId, ids } = await organizationWith(db, fixtures)));
  const search = async (line: string, filter?: Partial<JobListFilter>): Promise<number[]> =>
    (await searchIn(organizationId, line, filter)).rows.map(({ id }) => ids.indexOf(id));

  it.each<[string, number[]]>([
    // Payloads with U+0000 or half a surrogate pair cannot be read, so two jobs are not found.
    ['payload.order.id=4711', [1, 0]],
    ['payload.order.lines.0.sku=a-1', [3, 2, 1, 0]],
    ['payload."a.b"=true payload.note="x y"', [3, 2, 1, 0]],
    ['payload.order.id=4713 payload.text="😀 é"', [6]],
    ['payload.order.id=', []],
    ['payload.order=4711', []],
    ['tag:customer=4711', [0]],
    ['tag:customer=471', []],
    ['tag:urgent', [3, 1, 0]],
    ['tag:urgent=true tag:customer', [0]],
    ['error~refused', [2]],
    ['error~"TIMED OUT"', [3]],
    ['error~%', []],
    ['worker:w1,w2', [1]],
    ['worker:w2', []],
    ['key:order-4711,order-4712', [2, 0]],
    ['key:order-4712 payload.order.id=4711', []],
    ['type:invoice,report', [1, 0]],
    ['invoice', [4, 0]],
    ['INVOICE type:invoice', [0]],
    ['report w', []],
  ])('SP-17 for %s finds the jobs that have it', async (line, expected) => {
    expect(await search(line)).toEqual(expected);
    expect(await search(line, { direction: 'asc' })).toEqual(expected.toReversed());
  });

  it('SP-17 holds beside every other filter, also for a job that a key finds', async () => {
    expect(await search('key:order-4711', { statuses: ['pending'] })).toEqual([0]);
    expect(await search('key:order-4711', { statuses: ['deadletter'] })).toEqual([]);
    expect(await search('key:order-4711', { queues: ['reports'] })).toEqual([]);
    expect(await search('key:order-4711', { createdAfter: '2026-11-20T10:01:00Z' })).toEqual([]);
    expect(await search('key:order-4711', { createdBefore: '2026-11-20T10:00:00Z' })).toEqual([]);
    expect(await search('key:order-4711', { jobType: 'report' })).toEqual([]);
    expect(await search('error~refused', { statuses: ['pending'] })).toEqual([]);
    expect(await search('payload.order.id=4711', { queues: ['reports'] })).toEqual([1]);
    expect(await search('tag:urgent', { orderBy: 'priority', limit: 2 })).toHaveLength(2);
    expect(await search('tag:urgent', { offset: 1 })).toEqual([1, 0]);
  });

  it('SP-17 finds each job of many keys once, on whatever page', async () => {
    const keyed = Array.from({ length: 8 }, (_, n): Fixture => ({ key: `k${n}`, jobType: n === 5 ? 'rare' : '' }));
    const { organizationId: org, ids: own } = await organizationWith(db, keyed);
    const line = `key:${keyed.map(({ key }) => key).join(',')} rare`;
    const page = async (offset: number) =>
      (await searchIn(org, line, { limit: 1, offset })).rows.map(({ id }) => own.indexOf(id));
    expect([await page(0), await page(1)]).toEqual([[5], []]);
  });

  it('KF-04 finds no job of another organization', async () => {
    const other = await organizationWith(db, []);
    for (const line of ['key:order-4711', 'payload.order.id=4711', 'tag:urgent', 'error~refused']) {
      expect((await searchIn(other.organizationId, line)).rows).toEqual([]);
    }
  });
});

/** `count` jobs of a new organization with these payloads, and their number `n` in the tags; 1 is the oldest. */
async function manyJobs(count: number, payload: string): Promise<string> {
  const { organizationId } = await organizationWith(db, []);
  await db.withTenant(organizationId, (tx) =>
    tx.query(
      `INSERT INTO jobs (id, organization_id, created_at, updated_at, outcome, timeout_seconds, priority, max_retries, queue_name, tags, payload)
       SELECT uuidv7(make_interval(secs => n - 90000)), $1, timestamptz '2026-01-01Z' + make_interval(secs => n), now(), 'completed', 300, 0, 3,
         'mail', jsonb_build_object('n', n, 'odd', n % 2), ${payload}::json
       FROM generate_series(1, $2::int) AS n`,
      [organizationId, count],
    ),
  );
  return organizationId;
}

/** As `manyJobs`, but workers hold them; 1 began first. */
async function manyRunning(count: number, payload: string): Promise<string> {
  const organizationId = await manyJobs(count, payload);
  await db.withTenant(organizationId, (tx) =>
    tx.query(
      `INSERT INTO job_queue (job_id, organization_id, created_at, started_at, state, priority, max_retries, queue_name, worker_id, lease_id,
         lease_expires_at)
       SELECT id, organization_id, created_at, created_at, 'leased', 0, 3, queue_name, 'w' || (tags ->> 'n'), gen_random_uuid(), '2099-01-01Z'
       FROM jobs WHERE organization_id = $1`,
      [organizationId],
    ),
  );
  return organizationId;
}

const findRunning = (organizationId: string, line: string) =>
  db.withTenant(
    organizationId,
    (tx) => listRunningJobs(tx, { ...noFilter, terms: parseJobSearch(line) }),
    repeatableRead,
  );

/** All jobs that a search finds, and the number of pages without one. */
async function readAll(organizationId: string, line: string, limit: number) {
  const found: string[] = [];
  let pages = 0;
  let after: JobListFilter['after'] = null;
  do {
    const page = await searchIn(organizationId, line, { limit: limit + 1, after });
    pages++;
    const rows = page.rows.slice(0, limit);
    found.push(...rows.map(({ id }) => id));
    const last = rows.at(-1);
    after = page.rows.length > limit ? { at: last!.created_at, id: last!.id } : page.searchedTo;
  } while (after);
  return { found, pages };
}

describe('a search of more jobs than one request compares', () => {
  it('SP-91 continues where it ended, and finds each job once', async () => {
    const organizationId = await manyJobs(5_000, `'{}'`);
    const rare = await readAll(organizationId, 'tag:n=1', 10);
    expect(rare.found).toHaveLength(1);
    // Of 4,044 jobs and the rest.
    expect(rare.pages).toBe(2);
    const odd = await readAll(organizationId, 'tag:odd=1', 100);
    expect(new Set(odd.found).size).toBe(2_500);
    expect(odd.found).toHaveLength(2_500);
    expect((await searchIn(organizationId, 'tag:n=1', { offset: 1 })).rows).toEqual([]);
  });

  it('SP-91 reads at most 16 MB of payloads', async () => {
    const payload = `json_build_object('n', n, 'text', repeat('x', 1000000))`;
    const organizationId = await manyJobs(40, payload);
    const { found, pages } = await readAll(organizationId, 'payload.n=1', 10);
    expect(found).toHaveLength(1);
    expect(pages).toBe(3);
    // Other terms read no payloads.
    expect((await readAll(organizationId, 'tag:n=1', 10)).pages).toBe(1);
  });
});

describe('a search of more running jobs than one request compares', () => {
  it('BX-15 BX-25 compares 4,000 of them, stops once a page is full, and says so', async () => {
    const organizationId = await manyRunning(4_001, `'{}'`);
    const find = async (line: string) => {
      const { jobs, ...counts } = await findRunning(organizationId, line);
      return { ...counts, workers: jobs.map((job) => job.worker_id) };
    };
    expect(await find('tag:n=4000')).toEqual({ count: 1, atLeast: true, workers: ['w4000'] });
    expect(await find('tag:n=4001')).toEqual({ count: 0, atLeast: true, workers: [] });
    // By an index, so none is left out.
    expect(await find('worker:w4001 tag:n=4001')).toEqual({ count: 1, atLeast: false, workers: ['w4001'] });
    const odd = await find('tag:odd=1');
    expect(odd).toMatchObject({ count: 500, atLeast: true });
    expect(odd.workers).toEqual(Array.from({ length: 100 }, (_, i) => `w${2 * i + 1}`));
  });

  it('BX-15 BX-25 reads at most 16 MB of payloads', async () => {
    const payload = `json_build_object('n', n, 'text', repeat('x', 1000000))`;
    const organizationId = await manyRunning(20, payload);
    expect(await findRunning(organizationId, 'payload.n=17')).toMatchObject({ count: 1, atLeast: true });
    expect(await findRunning(organizationId, 'payload.n=18')).toMatchObject({ count: 0, atLeast: true });
    expect(await findRunning(organizationId, 'tag:n=18')).toMatchObject({ count: 1, atLeast: false });
  });
});
