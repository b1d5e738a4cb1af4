import { seriesSchemas } from '@spooled/contracts';
import { createTenant, fromNow, unixSeconds, useSuperuser, useTenantForEach } from '@spooled/testing';
import { useGateway } from '../gateway.fixture.js';

/** The beginning of a minute, some minutes ago. */
const base = Math.floor(unixSeconds() / 60) * 60_000 - 600_000;
const at = (seconds: number) => new Date(base + seconds * 1_000).toISOString();

const { database, gateway } = useGateway();
const superuser = useSuperuser(database);
beforeAll(async () => {
  // The third sample is missing, so that the fourth counts for both.
  for (const seconds of [0, 10, 30, 40, 50, 60]) await sampled(seconds, seconds === 30 ? 20 : 10);
});
const tenant = useTenantForEach(database);

const sampled = (seconds: number, span: number, step = 10) =>
  superuser.query(
    `INSERT INTO series_samples (step, at, counted_from, counted_to, counted_seconds, has_depth)
     SELECT $1::integer, t, t + make_interval(secs => $1::integer - $3::integer), t + make_interval(secs => $1::integer), $3, true
     FROM (SELECT $2::timestamptz AS t) AS moment`,
    [step, at(seconds), span],
  );

const none = { created: 0, started: 0, completed: 0, retried: 0, deadlettered: 0, cancelled: 0, wait_ms: 0, run_ms: 0 };

async function row(seconds: number, queue: string, values: object): Promise<void> {
  const columns = { ...none, pending: 0, scheduled: 0, processing: 0, oldest_ms: 0, left_out: 0, ...values };
  const names = Object.keys(columns);
  await superuser.query(
    `INSERT INTO queue_series (organization_id, step, queue_name, at, ${names.join(', ')})
     VALUES ($1, 10, $2, $3, ${names.map((_, index) => `$${index + 4}`).join(', ')})`,
    [tenant.organizationId, queue, at(seconds), ...Object.values(columns)],
  );
}

async function series(query: string, key = tenant.key): Promise<seriesSchemas.Series> {
  const { status, body } = await gateway.request('GET', `/series?${query}`, key);
  expect([status, body]).toEqual([200, body]);
  return seriesSchemas.series.parse(body);
}

const statusOf = async (query: string, key = tenant.key) =>
  (await gateway.request('GET', `/series?${query}`, key)).status;
const minute = `from=${at(0)}&to=${at(60)}`;

describe('BX-25 GET /api/v1/series', () => {
  it('BX-25 gives rates, depth, age and latency by step, and null where a sample is missing', async () => {
    await row(0, 'mail', {
      created: 4,
      started: 2,
      completed: 2,
      retried: 1,
      deadlettered: 1,
      wait_ms: 30,
      run_ms: 500,
      pending: 7,
      processing: 1,
      oldest_ms: 900,
    });
    await row(30, 'mail', { created: 3, pending: 5 });
    const { queue, step_seconds, points } = await series(`queue=mail&${minute}&step=10`);
    expect([queue, step_seconds, points.map((point) => point.at)]).toEqual([
      'mail',
      10,
      [0, 10, 20, 30, 40, 50].map(at),
    ]);
    expect(points[0]).toEqual({
      at: at(0),
      created: 4,
      started: 2,
      completed: 2,
      failed: 2,
      dead_lettered: 1,
      cancelled: 0,
      pending: 7,
      scheduled: 0,
      processing: 1,
      oldest_pending_ms: 900,
      avg_wait_ms: 15,
      avg_run_ms: 250,
      wait_ms: null,
      run_ms: null,
    });
    // Nothing happened: no row, and the waiting jobs wait on.
    expect(points[1]).toMatchObject({
      created: 0,
      completed: 0,
      pending: 7,
      processing: 0,
      oldest_pending_ms: 10_900,
      avg_run_ms: null,
    });
    // No sample: unknown. The next one cannot tell the two steps apart, but knows the depth.
    expect(points[2]).toMatchObject({ created: null, pending: null, oldest_pending_ms: null });
    expect(points[3]).toMatchObject({ created: null, pending: 5 });
    // The sample that ends a minute has every queue with jobs; this one has none.
    expect(points[5]).toMatchObject({ created: 0, pending: 0 });
  });

  it('BX-25 longer steps know a count if the samples cover them whole', async () => {
    await row(10, 'mail', { created: 1, pending: 1 });
    await row(30, 'mail', { created: 3, pending: 9, oldest_ms: 5 });
    const { points } = await series(`queue=mail&${minute}&step=30`);
    expect(points).toMatchObject([
      { created: null, pending: null },
      { created: null, pending: 0 },
    ]);
    await sampled(0, 60, 60);
    expect((await series(`queue=mail&${minute}&step=60`)).points).toMatchObject([{ created: 0, pending: 0 }]);
  });

  it('BX-25 gives percentiles of waits and run times, over longer steps and several queues from all their jobs', async () => {
    const quick = { run_buckets: [4], run_jobs: [900] };
    const slow = { run_buckets: [16], run_jobs: [100], wait_buckets: [8, 12], wait_jobs: [50, 50] };
    await row(0, 'a', { completed: 900, ...quick });
    await row(40, 'a', { completed: 100, ...slow });
    await row(40, 'b', { completed: 900, ...quick });
    const points = async (query: string, key?: string) => (await series(`${minute}&${query}`, key)).points;
    const [first, second] = await points('queue=a&step=10');
    expect(first).toMatchObject({ wait_ms: null, run_ms: { jobs: 900 } });
    expect(first!.run_ms!.p99).toBeLessThanOrEqual(10);
    expect(second).toMatchObject({ completed: 0, wait_ms: null, run_ms: null });
    const [whole] = await points('step=10', await tenant.keyFor('a', 'b')).then((all) => [all[4]!]);
    expect(whole).toMatchObject({ run_ms: { jobs: 1_000 }, wait_ms: { jobs: 100 } });
    expect(whole!.run_ms!.p50).toBeLessThanOrEqual(10);
    expect(whole!.run_ms!.p95).toBeGreaterThan(5_000);
    expect(whole!.wait_ms!.p50).toBeLessThanOrEqual(100);
    expect(whole!.wait_ms!.p95).toBeGreaterThan(560);
    // A step that is not known as a whole has no percentiles either.
    const [unknown] = await points('queue=a&step=30');
    expect(unknown).toMatchObject({ completed: null, run_ms: null });
  });

  it('BX-25 without a queue adds up all that the key may see', async () => {
    await row(0, 'a', { created: 1, pending: 1, oldest_ms: 5 });
    await row(0, 'b', { created: 2, pending: 2, oldest_ms: 9 });
    await row(0, '', { created: 7, pending: 7, oldest_ms: 20, left_out: 1 });
    const first = async (key?: string) => (await series(`${minute}&step=10`, key)).points[0];
    expect(await first()).toMatchObject({ created: 7, pending: 7, oldest_pending_ms: 20 });
    expect(await first(await tenant.keyFor('a', 'b'))).toMatchObject({ created: 3, pending: 3, oldest_pending_ms: 9 });
    // One queue of the organization was left out, and which is not known.
    expect(await first(await tenant.keyFor('a', 'c'))).toMatchObject({ created: null, pending: null });
  });

  it('BX-25 BX-01 shows nothing of another organization or of queues outside the scope', async () => {
    await row(0, 'mail', { created: 4 });
    await row(0, '', { created: 4 });
    const other = await createTenant(database.superuserUrl);
    for (const query of [`queue=mail&${minute}&step=10`, `${minute}&step=10`]) {
      expect((await series(query, other.key)).points[0]).toMatchObject({ created: 0 });
    }
    expect(await statusOf(`queue=mail&${minute}`, await tenant.keyFor('other'))).toBe(403);
  });

  it('BX-25 chooses a step that is kept and gives at most 400 points', async () => {
    const stepFrom = async (query: string) => (await series(query)).step_seconds;
    const ago = (hours: number) => `from=${fromNow(-hours * 3_600_000).toISOString()}`;
    expect(
      await Promise.all([stepFrom(''), stepFrom(ago(3)), stepFrom(ago(24)), stepFrom(ago(48)), stepFrom(ago(720))]),
    ).toEqual([10, 60, 300, 3_600, 3_600]);
    expect((await series('')).points).toHaveLength(360);
  });

  it.each([
    ['a step that is not offered', 'step=20'],
    ['too many points', `from=${at(-86_400)}&step=10`],
    ['an empty period', `from=${at(0)}&to=${at(0)}`],
    ['a malformed time', 'from=yesterday'],
    ['an unknown parameter', 'queue_name=mail'],
    ['a queue that no queue is called', 'queue=%20'],
  ])('BX-25 refuses %s', async (_what, query) => {
    expect(await statusOf(query)).toBe(400);
  });

  it('BX-25 has no points for the future', async () => {
    expect(
      (await series(`from=${fromNow(3_600_000).toISOString()}&to=${fromNow(7_200_000).toISOString()}&step=60`)).points,
    ).toEqual([]);
  });
});

describe('BX-25 GET /api/v1/series/queues', () => {
  const moment = async (seconds: number, key = tenant.key): Promise<seriesSchemas.SeriesMoment> =>
    seriesSchemas.seriesMoment.parse((await gateway.request('GET', `/series/queues?at=${at(seconds)}`, key)).body);

  it('BX-25 shows how each queue was at a moment, and what happened in the minute before', async () => {
    await row(0, 'mail', { created: 4, pending: 4 });
    await row(40, 'mail', { created: 2, completed: 3, pending: 3, run_buckets: [8], run_jobs: [3] });
    await row(40, 'reports', { created: 9, pending: 9, oldest_ms: 700 });
    for (const seconds of [0, 40]) await row(seconds, '', { pending: 12 });
    // Within the ten seconds after 0:50, when `mail` had no row of its own.
    const found = await moment(57);
    expect(found).toMatchObject({ at: at(50), all: { pending: 12 } });
    expect(found.queues.map(({ queue, pending }) => [queue, pending])).toEqual([
      ['reports', 9],
      ['mail', 3],
    ]);
    // The minute before has no sample at 0:20.
    expect(found.queues[1]).toMatchObject({ created: null, run_ms: null });
  });

  it('BX-25 knows counts and percentiles where all samples of the minute were taken', async () => {
    for (const seconds of [-60, -50, -40, -30, -20, -10]) await sampled(seconds, 10);
    await row(-60, 'mail', { created: 4, pending: 4 });
    await row(-10, 'mail', { created: 2, completed: 3, pending: 3, run_buckets: [8], run_jobs: [3] });
    const { queues } = await moment(0);
    expect(queues).toMatchObject([{ queue: 'mail', created: 6, completed: 3, pending: 3, run_ms: { jobs: 3 } }]);
  });

  it('BX-25 BX-01 shows nothing of another organization or of queues outside the scope', async () => {
    await row(40, 'mail', { pending: 4 });
    await row(40, 'other', { pending: 6 });
    await row(40, '', { pending: 10 });
    const other = await createTenant(database.superuserUrl);
    expect(await moment(50, other.key)).toMatchObject({ all: { pending: 0 }, queues: [] });
    expect(await moment(50, await tenant.keyFor('other'))).toMatchObject({
      all: { pending: 6 },
      queues: [{ queue: 'other', pending: 6 }],
    });
  });

  it.each([
    ['the future', '2999-01-01T00:00:00Z'],
    ['more than an hour ago', '2020-01-01T00:00:00Z'],
    ['no time', ''],
  ])('BX-25 refuses %s', async (_what, time) => {
    expect((await gateway.request('GET', `/series/queues?at=${time}`, tenant.key)).status).toBe(400);
  });
});

describe('GET /api/v1/series/marks', () => {
  const marks = async (query = '', key = tenant.key): Promise<seriesSchemas.SeriesMarks> => {
    const { status, body } = await gateway.request('GET', `/series/marks?${query}`, key);
    expect([status, body]).toEqual([200, body]);
    return seriesSchemas.seriesMarks.parse(body);
  };
  const post = async (path: string, body: object) => {
    const answer = await gateway.request('POST', path, tenant.key, body);
    expect([path, answer.status < 300]).toEqual([path, true]);
    return answer.body;
  };
  const shown = ({ marks: found }: seriesSchemas.SeriesMarks) =>
    found.map(({ kind, queue_name, version, operation_kind }) => [kind, queue_name, version ?? operation_kind]);

  it('BX-25 shows deploys, pauses and operations that began, of the queues of a key, the newest first', async () => {
    const worker = (queue_name: string, hostname: string, version: string) =>
      post('/workers/register', { queue_name, hostname, version });
    await worker('mail', 'one', '1.0');
    await worker('mail', 'two', '2.0');
    await worker('mail', 'three', '2.0');
    await worker('bills', 'four', '3.0');
    for (const queue_name of ['mail', 'bills']) await post('/jobs', { queue_name, payload: {} });
    await post('/queues/mail/pause', { reason: 'maintenance' });
    await post('/queues/mail/resume', {});
    await post('/queues/bills/pause', {});
    const { id } = await post('/jobs/dlq/purges', { queue_name: 'mail', confirm: true });
    await post('/jobs/dlq/replays', { all: true });
    await post('/jobs/dlq/purges', { queue_name: 'bills', confirm: true, hold_seconds: 600 });
    const begun = `UPDATE operations SET started_at = created_at WHERE organization_id = $1 AND starts_at IS NULL`;
    await superuser.query(begun, [tenant.organizationId]);
    const all = await marks();
    expect(shown(all)).toEqual([
      ['operation', null, 'deadletter.replay'],
      ['operation', 'mail', 'deadletter.purge'],
      ['pause', 'bills', null],
      ['resume', 'mail', null],
      ['pause', 'mail', null],
      ['deploy', null, '3.0'],
      ['deploy', null, '2.0'],
      ['deploy', null, '1.0'],
    ]);
    expect([all.has_more, all.marks.find(({ operation_id }) => operation_id === id)?.kind]).toEqual([
      false,
      'operation',
    ]);
    const ofMail = shown(await marks('queue=mail'));
    expect(ofMail.map(([kind, queue, name]) => [kind, queue, name])).toEqual(
      shown(all).filter(([, queue, name]) => queue !== 'bills' && name !== '3.0'),
    );
    const scoped = await tenant.keyFor('mail');
    expect(shown(await marks('', scoped))).toEqual(ofMail.filter(([, , name]) => name !== 'deadletter.replay'));
    expect((await gateway.request('GET', '/series/marks?queue=bills', scoped)).status).toBe(403);
    expect(
      (await marks(`from=${fromNow(-7_200_000).toISOString()}&to=${fromNow(-3_600_000).toISOString()}`)).marks,
    ).toEqual([]);
    const other = await createTenant(database.superuserUrl);
    expect((await marks('', other.key)).marks).toEqual([]);
  });

  it('BX-25 shows a pause beneath any number of later changes that are none, and the deletion that ended it', async () => {
    await post('/jobs', { queue_name: 'mail', payload: {} });
    await post('/queues/mail/pause', {});
    const noise = `INSERT INTO audit_log (organization_id, at, action, target_kind, target_id, before, after)
      SELECT $1, now(), 'queue.updated', 'queue', 'mail', '{"rate_limit": 1}', '{"rate_limit": 2}' FROM generate_series(1, 10001)`;
    await superuser.query(noise, [tenant.organizationId]);
    const paused = await marks();
    expect([shown(paused), paused.has_more]).toEqual([[['pause', 'mail', null]], false]);
    await gateway.request('DELETE', '/queues/mail?delete_jobs=true', tenant.key);
    expect(shown(await marks()).filter(([kind]) => kind !== 'operation')).toEqual([
      ['resume', 'mail', null],
      ['pause', 'mail', null],
    ]);
  });

  it('BX-25 says that older marks may be missing, also when it shows none', async () => {
    const pauses = `INSERT INTO audit_log (organization_id, at, action, target_kind, target_id, after)
      SELECT $1, now(), 'queue.created', 'queue', 'other', '{"enabled": false}' FROM generate_series(1, 5000)`;
    await superuser.query(pauses, [tenant.organizationId]);
    expect(await marks('queue=mail')).toMatchObject({ marks: [], has_more: true });
  });

  it('BX-25 shows an operation that waited for days before it began', async () => {
    await superuser.query(
      `INSERT INTO operations (organization_id, kind, filter, settings, created_at, started_at)
       VALUES ($1, 'deadletter.replay', '{}', '{}', now() - interval '6 days', now())`,
      [tenant.organizationId],
    );
    expect(shown(await marks())).toEqual([['operation', null, 'deadletter.replay']]);
  });

  it('BX-25 shows the newest 100, and says that there are more', async () => {
    await superuser.query(
      `INSERT INTO operations (organization_id, kind, filter, settings, started_at)
       SELECT $1, 'job.cancel', '{}', '{}', now() - make_interval(secs => n) FROM generate_series(1, 101) AS n`,
      [tenant.organizationId],
    );
    const { marks: found, has_more } = await marks();
    expect([found.length, has_more]).toEqual([100, true]);
    expect(found.map(({ at: time }) => time)).toEqual(
      found
        .map(({ at: time }) => time)
        .toSorted()
        .toReversed(),
    );
    const backwards = await gateway.request(
      'GET',
      `/series/marks?from=${fromNow(0).toISOString()}&to=${fromNow(-60_000).toISOString()}`,
      tenant.key,
    );
    expect(backwards.status).toBe(400);
  });
});
