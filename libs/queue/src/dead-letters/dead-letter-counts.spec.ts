import { deleteExpiredRecords, listDeadLetterCauses, listDeadLetterGroups } from '@spooled/data-access';
import { command, newJob, readFinalState, unlimited } from '@spooled/testing';
import pg from 'pg';
import { OperationsFixture } from '../operations/operations.fixture.js';
import { useEngine } from '../testing/job-lifecycle.fixture.js';

const fixture = useEngine();
let operations: OperationsFixture;
let org: string;
beforeEach(async () => {
  org = await fixture.organization();
  operations = new OperationsFixture(fixture, org);
  await fixture.sql('UPDATE operations SET next_step_at = NULL');
});

const list = { scope: [] as string[], filter: {}, limit: 100, offset: 0, orderBy: 'count', after: null } as const;

/** What lists show for all times, which is read from counters, and for all times as a filter, which is counted. */
async function shown(filter: object = {}) {
  const everAfter = { dead_after: '2000-01-01T00:00:00Z' };
  return fixture.db.withTenant(org, async (tx) => {
    const listed = async (more: object) => ({
      groups: await listDeadLetterGroups(tx, { ...list, scope: [], filter: { ...filter, ...more } }),
      causes: await listDeadLetterCauses(tx, { scope: [], filter: { ...filter, ...more }, orderBy: 'count' }),
    });
    return { counters: await listed({}), counted: await listed(everAfter) };
  });
}
const counters = async () =>
  (await readFinalState((text, parameters) => fixture.sql(text, parameters), [org])).counts.filter(({ what }) =>
    what.startsWith('dead letters'),
  );
async function expectEqual(dead: number, filter: object = {}): Promise<void> {
  const { counters: kept, counted } = await shown(filter);
  expect(kept).toEqual(counted);
  expect(kept.groups.reduce((sum, { count }) => sum + Number(count), 0)).toBe(dead);
  expect((await counters()).filter((count) => count.kept !== count.counted)).toEqual([]);
}
const retry = (jobIds: string[]) =>
  fixture.run(
    command('deadletter.retry', org, { jobIds, queueName: null, limit: 9, quota: unlimited, maxWorkflows: null }),
  );

describe('BX-06 counters of dead letters', () => {
  it('equal a count after deaths, replays, purges and new deaths, in total, by minute and by hour', async () => {
    const mails = await operations.die(['{}', '{}', '{}'], { queueName: 'mails' });
    await operations.die(['{"job_type":"a"}'], { queueName: 'bills', jobType: 'a' });
    await expectEqual(4);
    expect((await counters()).filter(({ kept }) => kept === 3)).toHaveLength(3);
    await retry(mails.slice(0, 1));
    await expectEqual(3);
    await operations.end(mails.slice(0, 1), 'fail', 'mails');
    await expectEqual(4);
    await expectEqual(1, { job_type: 'a' });
    await expectEqual(3, { queue_name: 'mails' });
    const purge = { jobIds: null, queueName: 'mails', olderThan: null, limit: 2, issuedAt: null };
    await fixture.run(command('deadletter.purge', org, purge));
    await expectEqual(2);
    await operations.finish(await operations.create('deadletter.replay'));
    await expectEqual(0);
  });

  it('leave out what the deletion of a queue hides, and keep what died after it', async () => {
    await operations.die(['{}', '{}'], { queueName: 'doomed' });
    await operations.die(['{}'], { queueName: 'other' });
    const hide = `INSERT INTO queue_deletions (organization_id, queue_name, deleted_until, has_live_jobs) VALUES ($1, 'doomed', clock_timestamp(), false)`;
    await fixture.sql(hide, [org]);
    await expectEqual(1);
    await operations.die(['{}'], { queueName: 'doomed' });
    await expectEqual(2);
    await expectEqual(1, { queue_name: 'doomed' });
    await expectEqual(0, { queue_name: 'unknown' });
    const hidden = `DELETE FROM dead_letters d USING queue_deletions x
      WHERE d.organization_id = $1 AND x.organization_id = $1 AND d.queue_name = x.queue_name AND d.created_at <= x.deleted_until`;
    await fixture.sql(hidden, [org]);
    await fixture.sql('DELETE FROM queue_deletions WHERE organization_id = $1', [org]);
    await expectEqual(2);
  });

  it('lose what retention deletes, also when its minute and hour are no longer kept, and then their rows', async () => {
    await operations.die(['{}', '{}'], { queueName: 'mails' });
    await fixture.sql(`UPDATE dead_letters SET dead_at = dead_at - interval '40 days' WHERE organization_id = $1`, [
      org,
    ]);
    await fixture.sql(
      `UPDATE dead_letter_counts SET at = at - interval '40 days' WHERE organization_id = $1 AND step > 0`,
      [org],
    );
    const [kept] = await operations.die(['{}'], { queueName: 'mails' });
    await fixture.db.asSystem('spec', (tx) =>
      deleteExpiredRecords(tx, 'deadLetters', [{ organizationId: org, days: 30 }], {
        limit: 100,
        lookBackSeconds: null,
      }),
    );
    await expectEqual(1);
    await fixture.maintenance.deleteOldDeadLetterCounts(1_000);
    expect(await counters()).toEqual([0, 60, 3600].map(() => ({ what: expect.any(String), kept: 1, counted: 1 })));
    await expectEqual(1);
    await retry([kept!]);
    await fixture.maintenance.deleteOldDeadLetterCounts(1_000);
    expect(await fixture.sql('SELECT FROM dead_letter_counts WHERE organization_id = $1 AND step = 0', [org])).toEqual(
      [],
    );
  });

  it('are deleted beyond their time and where a group has no dead letters, so many at a time and no others', async () => {
    await fixture.sql('DELETE FROM dead_letter_counts');
    const [{ now } = { now: '' }] = await fixture.sql<{ now: string }>('SELECT current_ts()::text AS now');
    const [kept, other, empty, alsoEmpty] = Array.from({ length: 4 }, () => newJob().id);
    const put = (step: number, group: string | undefined, age: string, slot = 0, jobs = 1) =>
      fixture.sql(
        `INSERT INTO dead_letter_counts (organization_id, step, group_id, at, slot, queue_name, job_type, jobs)
         VALUES ($1, $2, $3, CASE WHEN $2 > 0 THEN $4::timestamptz - $5::interval ELSE 'epoch' END, $6, 'mails', '', $7)`,
        [org, step, group, now, age, slot, jobs],
      );
    for (const [step, age] of [
      [60, '74 min'],
      [3600, '26 h 50 min'],
    ] as const)
      await put(step, kept, age);
    await put(60, empty, '1 min');
    for (const [slot, jobs] of [2, -1].entries()) await put(0, kept, '0 s', slot, jobs);
    const counts = () =>
      fixture.sql('SELECT step, group_id, at, slot, jobs FROM dead_letter_counts ORDER BY step, group_id, at, slot');
    const expected = await counts();
    for (const group of [empty, alsoEmpty])
      for (const [slot, jobs] of [2, -2].entries()) await put(0, group, '0 s', slot, jobs);
    await put(60, kept, '76 min');
    await put(3600, kept, '27 h 10 min');
    for (const [step, group, slot] of [
      [60, kept, 0],
      [60, other, 0],
      [60, kept, 1],
      [3600, kept, 0],
    ] as const)
      await put(step, group, '40 h', slot);
    const lengths = [];
    for (let run = 0; run < 6; run++) {
      expect(await fixture.maintenance.deleteOldDeadLetterCounts(1)).toBe(1);
      lengths.push((await counts()).length - expected.length);
    }
    expect(lengths).toEqual([7, 4, 3, 2, 1, 0]);
    expect([await fixture.maintenance.deleteOldDeadLetterCounts(1), await counts()]).toEqual([0, expected]);
  });

  it('do not make failures of one cause wait for each other', async () => {
    // They are counted by the minute: one time for all.
    const [row] = await fixture.sql<{ now: string }>('SELECT now()::text AS now');
    const insert = `INSERT INTO dead_letters (job_id, organization_id, queue_name, created_at, dead_at, job_type, group_id)
      SELECT uuidv7(), $1, 'mails', $2::timestamptz, $2::timestamptz, '', $1 FROM generate_series(1, 100)`;
    const clients = await Promise.all(
      [1, 2, 3].map(async () => {
        const client = new pg.Client({ connectionString: fixture.database.superuserUrl });
        await client.connect();
        return client;
      }),
    );
    try {
      for (const client of clients) {
        await client.query(`BEGIN; SET LOCAL lock_timeout = 100`);
        await client.query(insert, [org, row!.now]);
      }
      for (const client of clients.toReversed()) await client.query(insert, [org, row!.now]);
    } finally {
      for (const client of clients) await client.query('COMMIT').then(() => client.end());
    }
    expect((await counters()).map(({ kept, counted }) => [kept, counted])).toEqual([0, 60, 3600].map(() => [600, 600]));
  });
});
