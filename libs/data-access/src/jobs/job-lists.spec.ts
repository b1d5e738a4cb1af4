import type { JobStatus } from '@spooled/domain';
import { useDatabase, useConnections } from '@spooled/testing';
import fc from 'fast-check';
import { repeatableRead } from '../database/limits.js';
import { listJobs, type JobListFilter } from './job-lists.js';
import { type Fixture, organizationWith as organizationIn } from './job-records.fixture.js';
import { countJobs, findJob, findJobStatuses } from './job-reads.js';

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
  limit: 50,
  offset: 0,
  orderBy: 'created_at',
  direction: 'desc',
  after: null,
  afterSorted: null,
  terms: null,
};

/** The jobs of a new organization, and a function that lists them. */
async function organizationWith(...fixtures: Fixture[]) {
  const { organizationId, ids } = await organizationIn(db, fixtures);
  const list = async (filter: Partial<JobListFilter> = {}) => {
    const { rows } = await db.withTenant(
      organizationId,
      (tx) => listJobs(tx, { ...noFilter, ...filter }),
      repeatableRead,
    );
    return rows.map(({ id }) => ids.indexOf(id));
  };
  return { organizationId, ids, list };
}

const statuses: JobStatus[] = ['pending', 'scheduled', 'processing', 'completed', 'deadletter', 'cancelled'];
const tagValues = [null, { env: 1 }, ['env', 'x y'], 'env', { other: 1 }];

/** One job each minute, so that the expected order is clear. */
const manyJobs = Array.from({ length: 60 }, (_, minute) => ({
  minute,
  status: statuses[(minute * 7) % 6]!,
  queue: ['mail', 'sms', 'Reports'][minute % 3]!,
  jobType: ['', 'a', 'Mailing'][(minute >> 2) % 3]!,
  tags: tagValues[(minute * 3) % 5],
}));

const orNull = <T>(values: T[]) => fc.constantFrom(null, ...values);
const at = (minute: number): string => `2026-11-20T10:${String(minute).padStart(2, '0')}:00.123456Z`;
const anyFilter = fc.record({
  queues: orNull([['mail'], ['sms', 'Reports'], [], ['none']]),
  statuses: fc.option(fc.subarray([...statuses, 'failed' as const])),
  tag: orNull(['env', 'x y', 'none']),
  jobType: orNull(['a', 'Mailing', 'mailing']),
  text: orNull(['MAIL', 'report', '0', 'z']),
  createdAfter: orNull([at(10), at(30)]),
  createdBefore: orNull([at(31), at(50)]),
  limit: fc.integer({ min: 1, max: 60 }),
  offset: fc.constantFrom(0, 0, 1, 5),
  direction: fc.constantFrom('asc' as const, 'desc' as const),
});

/** The places of the matching jobs, by an independent reading of the filter. */
function expectedJobs(filter: typeof anyFilter extends fc.Arbitrary<infer F> ? F : never, ids: string[]): number[] {
  const { queues, statuses: wanted, tag, jobType, text, createdAfter, createdBefore, direction } = filter;
  const hasTag = (tags: unknown) => (typeof tags === 'string' ? tags === tag : Object.keys(named(tags)).includes(tag!));
  const places = manyJobs.flatMap((job, place) => {
    const texts = [job.queue, job.jobType].map((one) => one.toLowerCase());
    const matches =
      (queues?.includes(job.queue) ?? true) &&
      (wanted?.includes(job.status) ?? true) &&
      (tag === null || hasTag(job.tags)) &&
      (jobType === null || job.jobType === jobType) &&
      (text === null || texts.some((one) => one.includes(text.toLowerCase())) || ids[place]!.startsWith(text)) &&
      (createdAfter === null || at(job.minute) >= createdAfter) &&
      (createdBefore === null || at(job.minute) < createdBefore);
    return matches ? [place] : [];
  });
  return direction === 'asc' ? places : places.reverse();
}

/** An object whose keys are those of an object, or the elements of a list. */
const named = (tags: unknown): object =>
  Array.isArray(tags) ? Object.fromEntries(tags.map((one) => [one, 1])) : ((tags ?? {}) as object);

describe('listJobs', () => {
  it('lists the newest first, and pages by offset and by cursor without gaps or duplicates', async () => {
    const { ids, list, organizationId } = await organizationWith(
      { minute: 1 },
      { minute: 3, status: 'completed' },
      { minute: 2, status: 'deadletter' },
      { minute: 3, status: 'processing' },
    );
    expect(await list()).toEqual([3, 1, 2, 0]);
    expect(await list({ limit: 2, offset: 1 })).toEqual([1, 2]);
    expect(await list({ direction: 'asc' })).toEqual([0, 2, 1, 3]);
    const [, second] = (await db.withTenant(organizationId, (tx) => listJobs(tx, noFilter), repeatableRead)).rows;
    expect(second!.created_at).toBe('2026-11-20T10:03:00.123456Z');
    expect(await list({ after: { at: second!.created_at, id: ids[1]! } })).toEqual([2, 0]);
  });

  it.each<[JobStatus, number[]]>([
    ['pending', [2, 1, 0]],
    ['scheduled', [3]],
    ['processing', [4]],
    ['completed', [5]],
    ['deadletter', [6]],
    ['cancelled', [7]],
    ['failed', []],
  ])('SP-29 PB-17 filters by status %s', async (status, expected) => {
    const { list } = await organizationWith(
      { minute: 0, status: 'pending' },
      { minute: 1, status: 'retrying' },
      { minute: 2, status: 'blocked' },
      { status: 'scheduled' },
      { status: 'processing' },
      { status: 'completed' },
      { status: 'deadletter' },
      { status: 'cancelled' },
    );
    expect(await list({ statuses: [status] })).toEqual(expected);
  });

  it('filters by queue and by tag in every state', async () => {
    const { list } = await organizationWith(
      { minute: 1, tags: { env: 'prod' }, queue: 'mail' },
      { minute: 2, tags: ['env'], queue: 'sms', status: 'deadletter' },
      { minute: 3, tags: 'env', queue: 'sms', status: 'completed' },
      { minute: 4, tags: { deep: { env: 1 } } },
    );
    expect(await list({ tag: 'env' })).toEqual([2, 1, 0]);
    expect(await list({ tag: 'env', statuses: ['pending'] })).toEqual([0]);
    expect(await list({ tag: 'env', statuses: ['deadletter'] })).toEqual([1]);
    expect(await list({ queues: ['sms'] })).toEqual([2, 1]);
    expect(await list({ queues: [] })).toEqual([]);
  });

  it('SP-17 filters by several statuses at once, in the order of creation', async () => {
    const { list } = await organizationWith(
      { minute: 1, status: 'completed' },
      { minute: 2, status: 'deadletter' },
      { minute: 3, status: 'processing' },
      { minute: 4, status: 'cancelled' },
    );
    expect(await list({ statuses: ['deadletter', 'processing', 'completed'] })).toEqual([2, 1, 0]);
    expect(await list({ statuses: ['deadletter', 'processing', 'completed'], limit: 1, offset: 1 })).toEqual([1]);
    expect(await list({ statuses: ['failed', 'deadletter'] })).toEqual([1]);
    expect(await list({ statuses: [] })).toEqual([]);
  });

  it('SP-17 finds a text in queue names and job types, in any case, and as the start of an id', async () => {
    const { list, ids } = await organizationWith(
      { queue: 'Invoices', minute: 1 },
      { jobType: 'send_INVOICE', minute: 2, status: 'deadletter' },
      { queue: '100%', minute: 3, status: 'completed' },
    );
    expect(await list({ text: 'invoice' })).toEqual([1, 0]);
    expect(await list({ text: 'invoice', statuses: ['deadletter'] })).toEqual([1]);
    expect(await list({ text: '%' })).toEqual([2]);
    expect(await list({ text: '_' })).toEqual([1]);
    expect(await list({ text: ids[2]!.slice(0, 35).toUpperCase() })).toContain(2);
    expect(await list({ text: ids[2]! })).toEqual([2]);
    expect(await list({ text: ids[2]!.slice(1) })).toEqual([]);
  });

  it('SP-17 filters by job type and creation time; the start is included, the end is not', async () => {
    const { list } = await organizationWith(
      { minute: 1, jobType: 'a' },
      { minute: 2, jobType: 'A', status: 'completed' },
      { minute: 3, jobType: 'a', status: 'deadletter' },
    );
    expect(await list({ jobType: 'a' })).toEqual([2, 0]);
    expect(await list({ jobType: 'a', statuses: ['pending'] })).toEqual([0]);
    const [start, end] = ['2026-11-20T10:01:00.123456Z', '2026-11-20T12:03:00.123456+02:00'];
    expect(await list({ createdAfter: start, createdBefore: end })).toEqual([1, 0]);
    expect(await list({ createdAfter: '2026-11-20T10:01:00.123457Z', createdBefore: end })).toEqual([1]);
    expect(await list({ createdAfter: start, createdBefore: end, statuses: ['pending'] })).toEqual([0]);
  });

  it.each<Partial<JobListFilter>>([{ tag: '\0' }, { text: 'a\0' }, { jobType: '\0' }])(
    'SP-17 matches nothing with a text that no job can have: %j',
    async (filter) => {
      const { list } = await organizationWith({ tags: { env: 1 } });
      expect(await list(filter)).toEqual([]);
    },
  );

  it('SP-17 combines filters as a reading of all jobs would', async () => {
    const organization = await organizationWith(...manyJobs);
    await fc.assert(
      fc.asyncProperty(anyFilter, async (filter) => {
        const all = expectedJobs(filter, organization.ids);
        expect(await organization.list(filter)).toEqual(all.slice(filter.offset, filter.offset + filter.limit));
      }),
      { numRuns: 150 },
    );
  });

  it('sorts by priority across live and finished jobs', async () => {
    const { list } = await organizationWith(
      { priority: 5, status: 'completed' },
      { priority: -5 },
      { priority: 50, status: 'processing' },
    );
    expect(await list({ orderBy: 'priority' })).toEqual([2, 0, 1]);
    expect(await list({ orderBy: 'priority', direction: 'asc', offset: 1 })).toEqual([0, 2]);
  });

  it('SP-60 returns nothing of another organization', async () => {
    const other = await organizationWith({}, { status: 'deadletter' });
    const { list, organizationId } = await organizationWith();
    expect(await list()).toEqual([]);
    expect(await list({ statuses: ['deadletter'] })).toEqual([]);
    await db.withTenant(organizationId, async (tx) => {
      expect(await findJob(tx, other.ids[0]!, null)).toBeUndefined();
      expect(await tx.run(findJobStatuses, { ids: other.ids, queues: null })).toEqual([]);
      expect(await tx.one(countJobs, { queues: null })).toMatchObject({ pending: 0, deadletter: 0 });
    });
  });
});
