import { createTenant, useConnections, useDatabase, useSuperuser } from '@spooled/testing';
import pg from 'pg';
import { measureQueues, refreshGauges } from './gauges.repository.js';

const database = useDatabase();
const db = useConnections(database);
const superuser = useSuperuser(database);
const states = ['ready', 'blocked', 'scheduled', 'retrying', 'leased'] as const;

/** Inserts as many live jobs of each state as given, into one queue. */
async function insert(organizationId: string, queue: string, counts: Partial<Record<(typeof states)[number], number>>) {
  const client = new pg.Client({ connectionString: database.superuserUrl });
  await client.connect();
  for (const [state, count] of Object.entries(counts)) {
    await client.query(
      `INSERT INTO job_queue (job_id, organization_id, queue_name, state, priority, max_retries, created_at, due_at, dependencies_met)
       SELECT uuidv7(), $1, $2, (CASE $3 WHEN 'blocked' THEN 'ready' ELSE $3 END)::live_state, 0, 3, now() - interval '1 minute',
         CASE WHEN $3 IN ('scheduled', 'retrying') THEN now() + interval '1 day' END, $3 <> 'blocked'
       FROM generate_series(1, $4::integer)`,
      [organizationId, queue, state, count],
    );
  }
  await client.end();
}

const measure = (perOrganization = 10) =>
  db.asSystem('spec', (tx) => measureQueues(tx, { perOrganization, total: 10 }));

describe('SP-34 PB-30 figures of live jobs', () => {
  it('count each state by queue and altogether, without the scheduled ones', async () => {
    const { organizationId: a } = await createTenant(database.superuserUrl);
    const { organizationId: b } = await createTenant(database.superuserUrl);
    await insert(a, 'mails', { ready: 3, blocked: 2, scheduled: 7, retrying: 4, leased: 5 });
    await insert(a, 'later', { scheduled: 6 });
    await insert(b, 'mails', { leased: 1 });
    const { all, queues } = await measure();
    expect(all).toMatchObject({ pending: 9, processing: 6 });
    expect(Math.round(all.max_age_seconds / 60)).toBe(1);
    expect(queues).toEqual([
      { organization: a, queue: 'mails', pending: 9, processing: 5, max_age_seconds: expect.any(Number) },
      { organization: b, queue: 'mails', pending: 0, processing: 1, max_age_seconds: 0 },
    ]);
    expect((await measure(0)).queues).toEqual([]);
    const gauges = await db.asSystem('spec', (tx) => refreshGauges(tx, all));
    expect(gauges.get('spooled_jobs_pending')).toBe(9);
    const counted = await db.asSystem('spec', (tx) =>
      tx.query(
        'SELECT queue_name, scheduled::int FROM count_live_jobs_v1(true) WHERE organization_id = $1 ORDER BY 1',
        [a],
      ),
    );
    expect(counted).toEqual([
      { queue_name: 'later', scheduled: 6 },
      { queue_name: 'mails', scheduled: 7 },
    ]);
    const { organizationId: retired } = await createTenant(database.superuserUrl);
    for (const doomed of [a, retired]) await insert(doomed, 'doomed', { ready: 9, leased: 9 });
    await superuser.query(
      `INSERT INTO queue_deletions VALUES ($1, 'doomed', now(), true), ($1, 'mails', now(), false)`,
      [a],
    );
    await superuser.query(`UPDATE organizations SET plan_tier = 'deleted' WHERE id = $1`, [retired]);
    // What no worker will get is left out.
    expect(await measure()).toMatchObject({
      all: { pending: 9, processing: 6 },
      queues: queues.map(({ queue, pending }) => ({ queue, pending })),
    });
  });
});
