import { command, enqueue, newJob, untilLocked } from '@spooled/testing';
import pg from 'pg';
import { useEngine } from '../testing/job-lifecycle.fixture.js';

const fixture = useEngine();
let org: string;
beforeEach(async () => void (org = await fixture.organization()));

const add = () => fixture.run(enqueue(org, [newJob({ queueName: 'mails' })]));
const names = async () =>
  (await fixture.sql<{ name: string }>('SELECT queue_name AS name FROM queues WHERE organization_id = $1', [org])).map(
    ({ name }) => name,
  );
const jobs = async () =>
  (
    await fixture.sql<{ jobs: number }>('SELECT count(*)::int AS jobs FROM job_queue WHERE organization_id = $1', [org])
  )[0]!.jobs;

/** The time up to which the jobs of a request go. */
const now = async () => (await fixture.sql<{ now: string }>('SELECT clock_timestamp()::text AS now'))[0]!.now;

const deletions = [
  { how: 'all of its jobs', history: 1, issuedAt: () => Promise.resolve(null) },
  { how: 'the jobs until the request', history: 1, issuedAt: now },
  { how: 'the jobs until the request, among many', history: 1_000_000, issuedAt: now },
];
type Deletion = (typeof deletions)[number];

/** A job in the queue of an organization that has had so many. Before other transactions count jobs: it writes their counters. */
async function fill({ history }: Deletion): Promise<void> {
  await add();
  await fixture.sql('UPDATE job_stats SET created = $2 WHERE organization_id = $1', [org, history]);
}

const deleteQueue = async ({ issuedAt }: Deletion) =>
  fixture.run(command('queue.delete', org, { queueName: 'mails', deleteJobs: true, issuedAt: await issuedAt() }));
const rowsIn = (table: string) => fixture.sql(`SELECT FROM ${table} WHERE organization_id = $1`, [org]);

/** A transaction that has added a job to the queue, and is open. */
async function openEnqueue(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: fixture.database.superuserUrl });
  await client.connect();
  await client.query('BEGIN');
  await addIn(client);
  return client;
}

const addIn = (client: pg.Client) =>
  client.query('SELECT enqueue_part_v1($1, $2, 3, 300)', [
    JSON.stringify({ organization: org, command: 1 }),
    JSON.stringify([
      { number: 1, command: 1, id: newJob().id, queue: 'mails', payload: {}, job_type: '', priority: 0 },
    ]),
  ]);

describe.each(deletions)('the deletion of a queue with $how', (deletion) => {
  it('deletes its name and its counters, and the jobs at once or later', async () => {
    await fill(deletion);
    const later = deletion.history > 1;
    expect(await deleteQueue(deletion)).toEqual({ deletedJobs: later ? 0 : 1 });
    expect([await names(), await rowsIn('job_stats')]).toEqual([[], []]);
    for (const table of ['jobs', 'queue_deletions', 'operations'])
      expect(await rowsIn(table)).toHaveLength(later ? 1 : 0);
  });

  it('leaves the name to a job that another transaction is adding, and does not wait for it', async () => {
    await fill(deletion);
    const other = await openEnqueue();
    try {
      await deleteQueue(deletion);
      await other.query('COMMIT');
    } finally {
      await other.end();
    }
    expect([await names(), (await jobs()) > 0]).toEqual([['mails'], true]);
  });
});

it('the deletion of a queue without its jobs is refused while it has live ones, and keeps the records of others', async () => {
  await add();
  await add();
  const body = { queueName: 'mails', deleteJobs: false };
  const remove = (issuedAt: string | null = null) => fixture.run(command('queue.delete', org, { ...body, issuedAt }));
  await expect(remove()).rejects.toMatchObject({
    status: 409,
    message: 'Queue has 2 pending or processing jobs; add ?delete_jobs=true to delete them',
  });
  expect([await names(), await jobs()]).toEqual([['mails'], 2]);
  const records = await fixture.sql<{ id: string }>('SELECT id FROM jobs WHERE organization_id = $1', [org]);
  for (const { id } of records) await fixture.run(command('job.cancel', org, { jobId: id, queues: null }));
  // Also among many jobs, where deletions with the jobs run later.
  await fixture.sql('UPDATE job_stats SET created = 1000000 WHERE organization_id = $1', [org]);
  expect(await remove(await now())).toEqual({ deletedJobs: 0 });
  for (const { id } of records) expect(await fixture.job(id)).toMatchObject({ status: 'cancelled' });
  expect(await rowsIn('queue_deletions')).toEqual([]);
});

it('a queue gets its name back with a job that is added while the name is deleted', async () => {
  await add();
  const deleting = new pg.Client({ connectionString: fixture.database.superuserUrl });
  const adding = new pg.Client({ connectionString: fixture.database.superuserUrl });
  await Promise.all([deleting.connect(), adding.connect()]);
  try {
    // As deleteQueueName leaves it until its commit.
    await deleting.query('BEGIN');
    await deleting.query(`SELECT pg_advisory_xact_lock(hashtextextended('queue:' || $1 || ':mails', 0))`, [org]);
    await deleting.query('DELETE FROM queues WHERE organization_id = $1', [org]);
    const added = addIn(adding);
    await untilLocked(fixture.superuser, 1);
    await deleting.query('COMMIT');
    await added;
  } finally {
    await Promise.all([deleting.end(), adding.end()]);
  }
  expect(await names()).toEqual(['mails']);
});
