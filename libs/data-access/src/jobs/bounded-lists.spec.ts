import { randomUUID } from 'node:crypto';
import { parseJobSearch } from '@spooled/domain';
import { countReads, useConnections, useDatabase, useSuperuser } from '@spooled/testing';
import { repeatableRead } from '../database/limits.js';
import manyJobs from './bounded-lists.fixture.sql';
import { listJobs, type JobList, type JobListFilter } from './job-lists.js';

/** More than a search reads. */
const jobs = 150_000;
/** 40,000 records (45,000 to sort them) and their index entries, read once for the jobs and once for the end of the search; all jobs would be 300,000 or more. */
const boundedReads = 190_000;
const noFilter: JobListFilter = {
  queues: null,
  statuses: null,
  tag: null,
  jobType: null,
  text: null,
  createdAfter: null,
  createdBefore: null,
  limit: 10,
  offset: 0,
  orderBy: 'created_at',
  direction: 'desc',
  after: null,
  afterSorted: null,
  terms: null,
};
const testDatabase = useDatabase();
// One connection, so that its statistics can be flushed.
const db = useConnections(testDatabase, { maxConnections: 1 });
const superuser = useSuperuser(testDatabase);
const org = randomUUID();
/** Numbers of the jobs by their ids; the oldest is 1. */
const numbers = new Map<string, number>();

beforeAll(async () => {
  const { rows } = await superuser.query<{ id: string; n: number }>(manyJobs, [org, jobs]);
  for (const { id, n } of rows) numbers.set(id, n);
  await superuser.query('VACUUM (ANALYZE) jobs, job_queue, dead_letters, queues');
});

const list = (filter: Partial<JobListFilter>): Promise<JobList> =>
  db.withTenant(org, (tx) => listJobs(tx, { ...noFilter, ...filter }), repeatableRead);
const found = ({ rows }: JobList): number[] => rows.map(({ id }) => numbers.get(id)!);

/** Rows that `work` reads from tables and indexes. */
async function rowsRead(work: () => Promise<unknown>): Promise<number> {
  const before = await counted();
  await work();
  return (await counted()) - before;
}

async function counted(): Promise<number> {
  const { fetched, sequential, entries } = await countReads(db, superuser);
  return fetched + sequential + entries;
}

/** Matching jobs are 1 to 3, the oldest. With how many places the search asks for; else the ten of a page. */
const rare: [string, Partial<JobListFilter>, places?: number][] = [
  ['a queue', { queues: ['rare'] }],
  ['several queues', { queues: ['rare', 'none'] }],
  ['a job type', { jobType: 'rare.type' }],
  ['a queue and a job type', { queues: ['rare'], jobType: 'rare.type' }],
  ['part of a job type', { text: 'ARE.TY' }],
  ['part of a queue name', { text: 'rar' }],
  // With so many places of each type that those of all 30 would be too many.
  ['a word of a search', { terms: parseJobSearch('rar'), limit: 200 }, 200],
  ['a job type of a search', { terms: parseJobSearch('type:rare.type') }],
  // Four times the page are compared with the path.
  ['a word and a path of the payload', { terms: parseJobSearch('RARE payload.rare=true'), limit: 200 }, 800],
  ['a queue and a tag', { queues: ['rare'], tag: 'rare-tag' }],
  ['a job type and a status', { jobType: 'rare.type', statuses: ['completed', 'cancelled', 'deadletter', 'pending'] }],
  ['a time', { createdBefore: '2026-01-01T00:00:04Z' }],
];

describe('lists of a few of many jobs', () => {
  it.each(rare)('SP-91 SP-63 find %s by an index and read no other jobs', async (_, filter, places = 10) => {
    const read = await rowsRead(async () => {
      expect(await list(filter)).toMatchObject({ searchedTo: null });
    });
    expect(found(await list(filter))).toEqual([3, 2, 1]);
    expect(found(await list({ ...filter, direction: 'asc' }))).toEqual([1, 2, 3]);
    expect(found(await list({ ...filter, offset: 1, limit: 1 }))).toEqual([2]);
    // The search begins with 2,000 records and the places, and reads each with its index entries.
    expect(read).toBeLessThan(4 * (2_000 + places) + 200);
  });

  it.each<[string, Partial<JobListFilter>, number[]]>([
    ['cancelled', { statuses: ['cancelled'] }, [4]],
    ['dead letters', { statuses: ['deadletter'] }, [5]],
    ['scheduled', { statuses: ['scheduled'] }, [6]],
    ['cancelled and dead', { statuses: ['cancelled', 'deadletter', 'scheduled'] }, [6, 5, 4]],
    ['dead letters of a queue', { statuses: ['deadletter'], queues: ['common-5'] }, [5]],
  ])('SP-91 find %s jobs by an index', async (_, filter, expected) => {
    const read = await rowsRead(() => list(filter));
    expect(found(await list(filter))).toEqual(expected);
    expect(read).toBeLessThan(200);
  });

  it('SP-91 SP-17 find a job by the start of its id', async () => {
    const [id] = [...numbers].find(([, n]) => n === 7)!;
    const read = await rowsRead(async () => expect(found(await list({ text: id.toUpperCase() }))).toEqual([7]));
    expect(read).toBeLessThan(9_000);
  });

  it.each<[string, Partial<JobListFilter>]>([
    ['a tag', { tag: 'rare-tag' }],
    ['a tag of a search', { terms: parseJobSearch('tag:rare-tag') }],
    ['a tag and a path of the payload', { terms: parseJobSearch('tag:rare-tag payload.rare=true') }],
  ])('SP-91 read a bounded number of jobs for %s, say how far, and continue until all are found', async (_, filter) => {
    const pages: JobList[] = [];
    const read = await rowsRead(async () => void pages.push(await list(filter)));
    expect(read).toBeLessThan(boundedReads);
    expect(pages[0]).toMatchObject({ rows: [], searchedTo: { id: expect.any(String) as string } });
    while (pages.at(-1)!.searchedTo) pages.push(await list({ ...filter, after: pages.at(-1)!.searchedTo }));
    expect(pages.flatMap(found)).toEqual([3, 2, 1]);
    expect(pages.length).toBeLessThan(8);
  });

  it('SP-91 bound a search in types that match and jobs that do not', async () => {
    const filter: Partial<JobListFilter> = { jobType: 'common', tag: 'none' };
    const read = await rowsRead(() => list(filter));
    expect(read).toBeLessThan(35_000);
    const first = await list(filter);
    expect(first).toMatchObject({ rows: [], searchedTo: { at: expect.any(String) as string } });
    let last = first;
    for (let pages = 0; last.searchedTo && pages < 40; pages++)
      last = await list({ ...filter, after: last.searchedTo });
    expect(last).toEqual({ rows: [], searchedTo: null });
  });

  it('SP-91 never give a short page to an offset: it would pass over jobs', async () => {
    expect(await list({ tag: 'rare-tag', offset: 10 })).toMatchObject({
      rows: [],
      searchedTo: { id: expect.any(String) as string },
    });
    // A filter that fills its pages is searched as far as the offset says.
    const even = await list({ tag: 'even', offset: 12_000, limit: 2 });
    expect([found(even), even.searchedTo]).toEqual([[jobs - 2 * 12_000, jobs - 2 * 12_001], null]);
  });

  it('sort a bounded number of jobs by other keys', async () => {
    const read = await rowsRead(async () =>
      expect(await list({ tag: 'none', orderBy: 'priority' })).toEqual({
        rows: [],
        searchedTo: null,
        sortKeys: new Map(),
      }),
    );
    expect(read).toBeLessThan(boundedReads);
  });
});
