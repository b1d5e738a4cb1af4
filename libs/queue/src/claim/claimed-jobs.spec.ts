import type { ClaimedJob, Outcome } from '@spooled/contracts';
import { claim, enqueue, fromNow, newJob } from '@spooled/testing';
import pg from 'pg';
import { EffectsBuilder } from '../step/effects.js';
import { useEngine } from '../testing/job-lifecycle.fixture.js';
import { ClaimCursors, type QueuePosition } from './claim-cursor.js';
import { claimBatch } from './claim.js';

const fixture = useEngine();
let org: string;
beforeEach(async () => void (org = await fixture.organization()));

/** Cursors that let each claim begin at one place. */
class FixedCursor extends ClaimCursors {
  constructor(private readonly start: QueuePosition | undefined) {
    super();
  }

  override from(): QueuePosition | undefined {
    return this.start;
  }
}

/** Where claims begin to look; jobs of the specs are created at the seconds after `second(0)`. */
const second = (n: number) => `2026-01-01T00:00:${String(n).padStart(2, '0')}Z`;
const starts: [string, QueuePosition | undefined][] = [
  ['without a cursor', undefined],
  ['behind a cursor', { priority: 0, created_at: second(0) }],
];

/** The ids that one claim of `limit` jobs of queue `emails` gets. */
async function claimed(start: QueuePosition | undefined, limit: number): Promise<string[]> {
  const [outcome] = (await fixture.db.inBatch((tx) =>
    claimBatch(new FixedCursor(start))(tx, [claim(org, { limit })], new EffectsBuilder()),
  )) as Outcome[];
  if (!outcome!.ok) throw new Error(outcome!.error.message);
  return (outcome!.value as { jobs: ClaimedJob[] }).jobs.map(({ id }) => id);
}

/** Creates jobs and changes their live rows. Returns their ids. */
async function jobs(...rows: { priority?: number; queueName?: string; set?: string }[]): Promise<string[]> {
  const created = rows.map(({ priority = 0, queueName = 'emails' }) => newJob({ priority, queueName }));
  await fixture.run(enqueue(org, created));
  for (const [i, { set }] of rows.entries()) {
    await fixture.sql(`UPDATE job_queue SET created_at = $2${set ? `, ${set}` : ''} WHERE job_id = $1`, [
      created[i]!.id,
      second(i + 1),
    ]);
  }
  return created.map(({ id }) => id);
}

const future = () => `expires_at = '${fromNow(3_600_000).toISOString()}'`;
const notClaimable = (priority: number) => [
  { priority, set: 'dependencies_met = false' },
  { priority, set: `expires_at = now() - interval '1 second'` },
  { priority, set: `state = 'scheduled', due_at = now() + interval '1 hour'` },
  { priority, set: `state = 'retrying', due_at = now() + interval '1 hour'` },
  // It was due before it started.
  {
    priority,
    set: `state = 'leased', lease_expires_at = now() + interval '1 hour', due_at = now() - interval '1 hour'`,
  },
  { priority, queueName: 'images' },
];

describe.each(starts)('a claim %s', (_, start) => {
  it('SP-21 gets only jobs of its queue that wait for nothing and have not expired', async () => {
    await jobs(...notClaimable(5), ...notClaimable(0));
    const expected = await jobs({ priority: 5, set: future() }, { priority: 5 }, { set: future() }, {});
    expect(await claimed(start, 50)).toEqual(expected);
    expect(await claimed(start, 50)).toEqual([]);
  });

  it('SP-22 gets the highest priority first, then the oldest, then the lowest id', async () => {
    const at = (n: number) => `created_at = '${second(n)}'`;
    // Created in another order than they are claimed in; the last two differ by their ids alone.
    const [low, late, early, high, ...twins] = await jobs({ priority: -1 }, {}, {}, { priority: 3 }, {}, {});
    await fixture.sql(`UPDATE job_queue SET ${at(40)} WHERE job_id = $1`, [late]);
    await fixture.sql(`UPDATE job_queue SET ${at(20)} WHERE job_id = $1`, [early]);
    await fixture.sql(`UPDATE job_queue SET ${at(50)} WHERE job_id = $1`, [high]);
    await fixture.sql(`UPDATE job_queue SET ${at(30)} WHERE job_id = ANY ($1)`, [twins]);
    const order: string[] = [];
    for (let n = 0; n < 6; n++) order.push(...(await claimed(start, 1)));
    expect(order).toEqual([high, early, ...twins.sort(), late, low]);
  });

  it('SP-22 gets the higher priorities in their own order', async () => {
    const ids = await jobs({ priority: 2 }, { priority: 3 }, { priority: 3 }, { priority: 9 });
    const [first, ...twins] = [ids[3], ids[1], ids[2]];
    await fixture.sql(`UPDATE job_queue SET created_at = $2 WHERE job_id = ANY ($1)`, [twins, second(9)]);
    expect([
      await claimed(start, 1),
      await claimed(start, 1),
      await claimed(start, 1),
      await claimed(start, 1),
    ]).toEqual([[first], ...twins.sort().map((id) => [id]), [ids[0]]]);
    const [older, newer] = await jobs({ priority: 4 }, { priority: 4 });
    await fixture.sql(`UPDATE job_queue SET created_at = $2 WHERE job_id = $1`, [older, second(30)]);
    expect(await claimed(start, 1)).toEqual([newer]);
  });

  it('gets as many as it asks for, of one priority and of several', async () => {
    await jobs({}, {}, {}, {});
    expect(await claimed(start, 3)).toHaveLength(3);
    expect(await claimed(start, 3)).toHaveLength(1);
    const mixed = await jobs({ priority: 1 }, {}, {}, {});
    expect(await claimed(start, 3)).toEqual(mixed.slice(0, 3));
    expect(await claimed(start, 3)).toEqual(mixed.slice(3));
    await jobs({ priority: 1 }, { priority: 1 }, { priority: 1 });
    expect(await claimed(start, 2)).toHaveLength(2);
  });

  it('PB-15 skips what another session holds', async () => {
    const ids = await jobs({ priority: 1 }, {}, { priority: 1 }, {}, { set: `state = 'scheduled', due_at = now()` });
    const holder = new pg.Client({ connectionString: fixture.database.superuserUrl });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM job_queue WHERE job_id = ANY ($1) FOR UPDATE', [[ids[0], ids[1], ids[4]]]);
    expect(await claimed(start, 9)).toEqual([ids[2], ids[3]]);
    await holder.query('ROLLBACK');
    await holder.end();
  });
});

it('a claim finds nothing before its cursor unless nothing is behind it', async () => {
  const [before, behind] = await jobs({}, {});
  const start = { priority: 0, created_at: second(2) };
  expect(await claimed(start, 9)).toEqual([behind]);
  expect(await claimed(start, 9)).toEqual([before]);
});

it('BX-01 a claim leaves no organization behind on its connection', async () => {
  const app = new pg.Client({ connectionString: fixture.database.appUrl });
  await app.connect();
  await app.query('SELECT FROM claim_jobs_v1($1, 1)', [
    JSON.stringify([{ organization: org, queue: 'emails', claims: [] }]),
  ]);
  const { rows } = await app.query<{ org: string }>(`SELECT current_setting('app.current_org_id') AS org`);
  await app.end();
  expect(rows).toEqual([{ org: '' }]);
});

describe('the settings that a claim follows', () => {
  const configure = (queue: string, { enabled = true, settings = '{}' }, organization = org) =>
    fixture.sql('INSERT INTO queue_config (organization_id, queue_name, enabled, settings) VALUES ($1, $2, $3, $4)', [
      organization,
      queue,
      enabled,
      settings,
    ]);

  it('are those of its own queue', async () => {
    await configure('images', { enabled: false });
    await configure('videos', { settings: '{"concurrency": 1}' });
    const ids = await jobs({}, {});
    expect(await claimed(undefined, 9)).toEqual(ids);
  });

  it('pause its queue', async () => {
    await configure('emails', { enabled: false });
    const ids = await jobs({});
    expect(await claimed(undefined, 9)).toEqual([]);
    await fixture.sql('UPDATE queue_config SET enabled = true WHERE organization_id = $1', [org]);
    expect(await claimed(undefined, 9)).toEqual(ids);
  });

  it('count the leases of its own queue', async () => {
    await configure('emails', { settings: '{"concurrency": 2}' });
    await jobs({ queueName: 'images' }, { queueName: 'images' });
    await fixture.run(claim(org, { queueName: 'images', limit: 2 }));
    await jobs({}, {}, {});
    expect(await claimed(undefined, 9)).toHaveLength(2);
  });

  it('let it get nothing while jobs of its deleted queue are left, and only of that queue', async () => {
    const hide = (queue: string, left: boolean) =>
      fixture.sql(`INSERT INTO queue_deletions VALUES ($1, $2, '2020-01-01', $3)`, [org, queue, left]);
    const ids = await jobs({});
    await hide('images', true);
    await hide('emails', true);
    expect(await claimed(undefined, 9)).toEqual([]);
    await fixture.sql(`UPDATE queue_deletions SET has_live_jobs = false WHERE queue_name = 'emails'`);
    expect(await claimed(undefined, 9)).toEqual(ids);
  });
});

describe('jobs that a claim finds due', () => {
  const due = (state: string, seconds = 1) => ({ set: `state = '${state}', due_at = now() - interval '${seconds} s'` });
  const statesOf = (ids: string[]) =>
    fixture.sql('SELECT state, count(*)::int AS n FROM job_queue WHERE job_id = ANY ($1) GROUP BY 1', [ids]);
  const activations = () =>
    fixture.sql(`SELECT job_id FROM job_history WHERE organization_id = $1 AND event = 'activated'`, [org]);

  it('SP-24 are announced and recorded if they were scheduled, retries are not', async () => {
    const [scheduled, retried] = await jobs(due('scheduled'), due('retrying'));
    fixture.effects.length = 0;
    const { jobs: granted } = await fixture.run(claim(org, { limit: 9 }));
    expect(granted.map(({ id }) => id).sort()).toEqual([scheduled, retried].sort());
    const activated = fixture
      .events(org)
      .flatMap(({ data }) => ('old_status' in data && data.old_status === 'scheduled' ? [data.job_id] : []));
    expect(activated).toEqual([scheduled]);
    expect(await activations()).toEqual([{ job_id: scheduled }]);
  });

  it('are measured from when they became claimable again, not from when they were first scheduled for', async () => {
    const [id] = await jobs(due('retrying'));
    await fixture.sql(`UPDATE jobs SET scheduled_at = '2020-01-01' WHERE id = $1`, [id]);
    const effects = new EffectsBuilder();
    await fixture.db.inBatch((tx) => claimBatch(new FixedCursor(undefined))(tx, [claim(org)], effects));
    const [row] = await fixture.sql<{ due_at: Date; started_at: Date }>(
      'SELECT due_at, started_at FROM job_queue WHERE job_id = $1',
      [id],
    );
    const wait = row!.started_at.getTime() - row!.due_at.getTime();
    expect(effects.durations).toEqual([{ organizationId: org, queueName: 'emails', ms: { wait } }]);
  });

  it('are those of its queue alone', async () => {
    const others = await jobs({ ...due('scheduled'), queueName: 'images' });
    await jobs(due('scheduled'));
    expect(await claimed(undefined, 9)).toHaveLength(1);
    expect(await statesOf(others)).toEqual([{ state: 'scheduled', n: 1 }]);
  });

  it('are none that are claimable already', async () => {
    const ids = await jobs(due('ready'));
    expect(await claimed(undefined, 9)).toEqual(ids);
    expect(await activations()).toEqual([]);
  });

  it('are a thousand at a time, the longest due first', async () => {
    const scheduledAt = fromNow(3_600_000).toISOString();
    const many = Array.from({ length: 1_001 }, () => newJob({ scheduledAt }));
    await fixture.run(enqueue(org, many));
    await fixture.sql(
      `UPDATE job_queue q SET due_at = now() - interval '1 s' * n.number
       FROM (SELECT job_id, row_number() OVER (ORDER BY job_id) AS number FROM job_queue WHERE organization_id = $1) n
       WHERE q.job_id = n.job_id`,
      [org],
    );
    await claimed(undefined, 1);
    const left = await fixture.sql(`SELECT job_id FROM job_queue WHERE organization_id = $1 AND state = 'scheduled'`, [
      org,
    ]);
    expect(left).toEqual([{ job_id: many.map(({ id }) => id).sort()[0] }]);
  });
});
