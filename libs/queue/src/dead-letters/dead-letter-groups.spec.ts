import { claim, enqueue, newJob } from '@spooled/testing';
import { workerCommands, useEngine } from '../testing/job-lifecycle.fixture.js';

const fixture = useEngine();

async function normalized(error: string | null): Promise<string> {
  const [row] = await fixture.sql<{ error: string }>('SELECT normalized_error_v1($1) AS error', [error]);
  return row!.error;
}

async function groupsOf(org: string): Promise<Map<string, string | null>> {
  const rows = await fixture.sql<{ job_id: string; group_id: string | null }>(
    'SELECT job_id, group_id FROM dead_letters WHERE organization_id = $1',
    [org],
  );
  return new Map(rows.map(({ job_id, group_id }) => [job_id, group_id]));
}

describe('the normalized error', () => {
  it.each([
    ['connect ECONNREFUSED 10.0.0.12:5432', 'connect ECONNREFUSED #'],
    ['Timeout after 30000ms', 'Timeout after #ms'],
    ['Order 0190f7c2-7b1e-7a31-9c44-0a1b2c3d4e5f not found', 'Order # not found'],
    [`Can't find "alice@example.com" in 'users'`, `Can't find "#" in '#'`],
    ['no column `total` at 0x7FFE12ab', 'no column `#` at #'],
    ['commit 9fceb02d0ae598e95dc970b74767f19372d61af8 is gone', 'commit # is gone'],
    ['customer cus_9xK2abcD7 was deleted', 'customer # was deleted'],
    ['/srv/app/v12/worker.js:131:17', '/srv/app/v#/worker.js:#'],
    ['deadbeef and cafe are words', 'deadbeef and cafe are words'],
    ['two\n   lines\tand blanks ', 'two lines and blanks'],
    ['HTTP 404 for order 12', 'HTTP 404 for order #'],
    ['HTTP 500 for order 12', 'HTTP 500 for order #'],
    ['HTTP/1.1 429 Too Many Requests after 250 ms', 'HTTP/# 429 Too Many Requests after # ms'],
    ['Request failed with status code 503', 'Request failed with status code 503'],
    ['statusCode=502, status: 502, status_code (502)', 'statusCode=502, status: 502, status_code (502)'],
    ['SMTP 550: mailbox 17 is full', 'SMTP 550: mailbox # is full'],
    ['errno -111, exit code 1', 'errno -111, exit code 1'],
    ['status 12345 and error code 80041', 'status # and error code #'],
    ['20 statuses, 3 codes', '# statuses, # codes'],
    ['a \u0001 in it 17', 'a in it #'],
    ['mark \u00015', 'mark #'],
    ['', ''],
    [null, ''],
  ])('BX-06 of %j is %j', async (error, expected) => {
    expect(await normalized(error)).toBe(expected);
  });

  it('BX-06 is at most 300 characters, and half a character is never kept', async () => {
    const text = await normalized('😀'.repeat(500));
    expect([...text]).toHaveLength(300);
    expect(text.isWellFormed()).toBe(true);
  });
});

describe('the group of a dead letter', () => {
  it('BX-06 is written with it: equal causes share one, other queues, types and causes have others', async () => {
    const org = await fixture.organization();
    const { proof } = workerCommands(org);
    const die = async (error: string, more: Parameters<typeof newJob>[0] = {}) => {
      const job = newJob(more);
      await fixture.run(enqueue(org, [job]));
      await fixture.run(claim(org, { queueName: job.queueName }));
      const { fail } = workerCommands(org);
      const command = fail({ id: job.id }, false);
      await fixture.run({ ...command, body: { ...proof({ id: job.id }), error, retry: false } });
      return job.id;
    };
    const first = await die('Order 17 not found');
    const second = await die('Order 4711 not found');
    const others = [
      await die('Order 17 was cancelled'),
      await die('Order 17 not found', { queueName: 'other' }),
      await die('Order 17 not found', { jobType: 'invoice', payload: '{"job_type":"invoice"}' }),
    ];
    const groups = await groupsOf(org);
    expect(groups.get(first)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(groups.get(second)).toBe(groups.get(first));
    expect(new Set([first, ...others].map((id) => groups.get(id))).size).toBe(4);
  });
});

it('BX-06 ids of groups and causes are UUIDs of version 8, the same in every release', async () => {
  const ids = await fixture.sql<{ id: string }>(
    `SELECT unnest(ARRAY[dead_letter_group_v1('mails', 'letter', error), dead_letter_cause_v1(error)]) AS id
     FROM (SELECT 'smtp says no' AS error UNION ALL SELECT 'error ' || chr(96 + n) FROM generate_series(1, 26) AS n) AS errors`,
  );
  expect(ids.slice(0, 2).map(({ id }) => id)).toEqual([
    '607f83dc-83a9-8a98-9192-5681fd10fd9e',
    'e400e0b3-8c3a-890a-b5b6-4ec48e147b79',
  ]);
  expect(new Set(ids.map(({ id }) => id)).size).toBe(54);
  for (const { id } of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

describe('the dead letters of a group before the last hour', () => {
  const hourBefore = async (org: string, age: string): Promise<number> => {
    // Within one transaction the time stands still.
    await fixture.sql('BEGIN');
    try {
      await fixture.sql('UPDATE dead_letters SET dead_at = current_ts() - $2::interval WHERE organization_id = $1', [
        org,
        age,
      ]);
      const [found] = await fixture.sql<{ hour_before: number; is_oldest: boolean }>(
        `SELECT e.hour_before, e.oldest = d.dead_at AS is_oldest
         FROM dead_letters d CROSS JOIN LATERAL earlier_dead_letters_v1($1, d.group_id, 10) AS e WHERE d.organization_id = $1`,
        [org],
      );
      expect(found!.is_oldest).toBe(true);
      return found!.hour_before;
    } finally {
      await fixture.sql('ROLLBACK');
    }
  };

  it('begin two hours ago and end before one hour ago, so that none is in two hours', async () => {
    const org = await fixture.organization();
    await fixture.run(enqueue(org, [newJob({ maxRetries: 0 })]));
    await fixture.run(workerCommands(org).fail(await fixture.claimOne(org)));
    const ages = ['2 hours 0.000001 seconds', '2 hours', '1 hour 0.000001 seconds', '1 hour', '0'];
    const counts = [];
    for (const age of ages) counts.push(await hourBefore(org, age));
    expect(counts).toEqual([0, 1, 1, 0, 0]);
  });

  it('are counted up to a limit, and the oldest is that of the group', async () => {
    const org = await fixture.organization();
    await fixture.run(
      enqueue(
        org,
        [1, 2, 3].map(() => newJob({ maxRetries: 0 })),
      ),
    );
    const { jobs } = await fixture.run(claim(org, { limit: 3 }));
    for (const job of jobs) await fixture.run(workerCommands(org).fail(job));
    const other = newJob({ queueName: 'other', maxRetries: 0 });
    await fixture.run(enqueue(org, [other]));
    await fixture.run(workerCommands(org).fail(await fixture.claimOne(org, { queueName: 'other' })));
    await fixture.sql(
      `UPDATE dead_letters SET dead_at = date_trunc('second', current_ts()) - CASE queue_name WHEN 'other' THEN interval '110 min'
         ELSE array_position($2::uuid[], job_id) * interval '1 min' + interval '90 min' END WHERE organization_id = $1`,
      [org, jobs.map(({ id }) => id)],
    );
    const found = (most: number) =>
      fixture.sql(
        `SELECT e.hour_before AS jobs, d.job_id AS oldest
         FROM (SELECT DISTINCT group_id FROM dead_letters WHERE organization_id = $1 AND queue_name = 'emails') AS g
         CROSS JOIN LATERAL earlier_dead_letters_v1($1, g.group_id, $2) AS e
         JOIN dead_letters d ON d.organization_id = $1 AND d.dead_at = e.oldest AND d.queue_name = 'emails'`,
        [org, most],
      );
    const oldest = jobs[2]!.id;
    expect([await found(2), await found(3), await found(9)]).toEqual([2, 3, 3].map((n) => [{ jobs: n, oldest }]));
  });
});
