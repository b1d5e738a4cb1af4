import { type CommandBody, type CommandKind, type CommandOf, type EventBatch } from '@spooled/contracts';
import { command } from '@spooled/testing';
import pg from 'pg';
import { jobTasks, type JobTaskContext } from '../tasks/job-tasks.js';
import { useEngine } from '../testing/job-lifecycle.fixture.js';

const fixture = useEngine();
let org: string;
beforeEach(async () => void (org = await fixture.organization()));

type Changed<K extends CommandKind> = Partial<CommandBody<K>>;
const plan = { maxWorkers: null, plan: 'free', upgradeTo: 'pro', queues: null };
const act = <K extends CommandKind>(kind: K, body: CommandBody<K>) =>
  fixture.run(command(kind, org, body) as CommandOf<K>);
const register = (workerId = 'w1', more: Changed<'worker.register'> = {}) =>
  act('worker.register', {
    ...{ workerId, queueName: 'mail', hostname: 'host', workerType: 'node', maxConcurrency: 5, metadata: '{"a":1}' },
    ...{ version: '1.0', ...plan, ...more },
  });
const beat = (status: string | null, more: Changed<'worker.heartbeat'> = {}) =>
  act('worker.heartbeat', { workerId: 'w1', currentJobs: 1, status, metadata: null, ...plan, ...more });
const drain = (more: Changed<'worker.drain'> = {}) => act('worker.drain', { workerId: 'w1', queues: null, ...more });
const resume = (more: Changed<'worker.resume'> = {}) => act('worker.resume', { workerId: 'w1', ...plan, ...more });
const deregister = (more: Changed<'worker.deregister'> = {}) =>
  act('worker.deregister', { workerId: 'w1', queues: null, issuedAt: null, ...more });

const unknown = expect.objectContaining({ status: 404, message: 'Worker not found' }) as unknown;

/** A worker as it is stored, of this organization unless another is named. */
const stored = async (id = 'w1', organization = org) =>
  (await fixture.sql('SELECT * FROM workers WHERE organization_id = $1 AND id = $2', [organization, id]))[0];
const set = (values: string) =>
  fixture.sql(`UPDATE workers SET ${values} WHERE organization_id = $1 AND id = 'w1'`, [org]);
/** Registers a worker of each status, of which two have a place of the plan. */
async function registerOthers(): Promise<void> {
  for (const status of ['healthy', 'degraded', 'draining', 'offline']) {
    await register(status);
    await fixture.sql('UPDATE workers SET status = $2 WHERE organization_id = $1 AND id = $2', [org, status]);
  }
}
/** How a worker comes to each state. */
const states: Record<string, () => Promise<unknown>> = {
  healthy: () => Promise.resolve(),
  'degraded, as it says': () => beat('degraded'),
  'degraded by missed heartbeats': () => set(`status = 'degraded', updated_at = last_heartbeat + interval '1 minute'`),
  'draining, as it says': () => beat('draining'),
  drained: () => drain(),
  offline: () => deregister(),
  'drained and offline': () => drain().then(() => deregister()),
};

describe('a registration', () => {
  it('SP-07 keeps what the worker says, and replaces it when it registers again', async () => {
    await register();
    expect(await stored()).toMatchObject({
      ...{ queue_name: 'mail', hostname: 'host', worker_type: 'node', max_concurrency: 5, metadata: { a: 1 } },
      ...{ version: '1.0', status: 'healthy', current_jobs: 0 },
    });
    await register('w2');
    await drain();
    const more = { queueName: 'bills', hostname: 'other', workerType: null, maxConcurrency: 6, metadata: null };
    await register('w1', { ...more, version: null });
    expect(await stored()).toMatchObject({
      ...{ queue_name: 'bills', hostname: 'other', worker_type: null, max_concurrency: 6, metadata: {}, version: null },
      ...{ status: 'healthy', drain_requested_at: null },
    });
    expect(await stored('w2')).toMatchObject({ queue_name: 'mail', hostname: 'host' });
  });

  it('PB-20 needs a place of the plan, which healthy and degraded workers have, and not offline or draining ones', async () => {
    await registerOthers();
    await expect(register('w1', { maxWorkers: 2 })).rejects.toMatchObject({
      ...{ status: 429, extras: { resource: 'workers', current: 2, limit: 2, plan: 'free', upgrade_to: 'pro' } },
    });
    expect(await stored()).toBeUndefined();
    await register('degraded', { maxWorkers: 2 });
    await register('w1', { maxWorkers: 3 });
    await expect(register('draining', { maxWorkers: 3 })).rejects.toMatchObject({ status: 429 });
    const other = org;
    org = await fixture.organization();
    await register('w1', { maxWorkers: 1 });
    expect([await stored('w1', other), await stored()]).toMatchObject([{ status: 'healthy' }, { status: 'healthy' }]);
  });

  it.each(['healthy', 'degraded'])(
    'PB-20 again of a worker that is %s is free, also under a cap that is exceeded',
    async (status) => {
      await registerOthers();
      await register(status, { maxWorkers: 1, hostname: 'again' });
      expect(await stored(status)).toMatchObject({ status: 'healthy', hostname: 'again' });
    },
  );

  it('BX-01 replaces no worker of another queue than the key may use, and needs none there', async () => {
    await register('w2', { queueName: 'other', queues: ['other'] });
    await register('w1', { queues: ['mail'] });
    await expect(register('w1', { queueName: 'bills', queues: ['bills'] })).rejects.toMatchObject({
      ...{ status: 409, message: 'Worker id is in use' },
    });
    await register('w1', { hostname: 'again', queues: ['mail', 'bills'] });
    expect(await stored()).toMatchObject({ queue_name: 'mail', hostname: 'again' });
  });
});

describe('a heartbeat', () => {
  const said = [null, 'healthy', 'degraded', 'draining', 'offline'] as const;
  it.each<[state: keyof typeof states, ...after: string[]]>([
    ['healthy', 'healthy', 'healthy', 'degraded', 'draining', 'offline'],
    ['degraded, as it says', 'degraded', 'healthy', 'degraded', 'draining', 'offline'],
    ['degraded by missed heartbeats', 'healthy', 'healthy', 'degraded', 'draining', 'offline'],
    ['draining, as it says', 'draining', 'draining', 'draining', 'draining', 'offline'],
    ['drained', 'draining', 'draining', 'draining', 'draining', 'offline'],
    ['offline', 'healthy', 'healthy', 'degraded', 'draining', 'offline'],
    ['drained and offline', 'draining', 'draining', 'draining', 'draining', 'offline'],
  ])('SP-38 BX-25 of a worker that is %s makes it what it says, except that a drain lasts', async (state, ...after) => {
    const answers: string[] = [];
    for (const status of said) {
      await register();
      await states[state]!();
      answers.push((await beat(status)).status);
      expect(await stored()).toMatchObject({ status: answers.at(-1) });
    }
    expect(answers).toEqual(after);
  });

  it('SP-38 keeps the jobs in hand, the time, and metadata that it does not name', async () => {
    await register();
    await register('w2');
    await set(`last_heartbeat = '2026-01-01', updated_at = '2026-01-01'`);
    await beat(null, { currentJobs: 3 });
    const first = await stored();
    expect(first).toMatchObject({ current_jobs: 3, metadata: { a: 1 } });
    expect(first!.last_heartbeat.getTime()).toBeGreaterThan(Date.UTC(2026, 1));
    await beat(null, { currentJobs: 0, metadata: '{"b":2}' });
    expect(await stored()).toMatchObject({ current_jobs: 0, metadata: { b: 2 } });
    await deregister();
    await beat('healthy', { currentJobs: 4, metadata: '{"c":3}' });
    expect(await stored()).toMatchObject({ current_jobs: 4, metadata: { c: 3 } });
    await deregister();
    await beat(null, { currentJobs: 5 });
    expect(await stored()).toMatchObject({ current_jobs: 5, metadata: { c: 3 } });
    expect(await stored('w2')).toMatchObject({ current_jobs: 0, metadata: { a: 1 } });
  });

  it('PB-20 brings an offline worker back only to a place of the plan, and needs none otherwise', async () => {
    await registerOthers();
    await register();
    await beat('degraded', { maxWorkers: 2 });
    await deregister();
    await expect(beat(null, { maxWorkers: 2 })).rejects.toMatchObject({
      status: 429,
      extras: { current: 2, limit: 2, plan: 'free', upgrade_to: 'pro' },
    });
    expect(await stored()).toMatchObject({ status: 'offline' });
    expect(await beat('draining', { maxWorkers: 2 })).toEqual({ status: 'draining' });
    await deregister();
    expect(await beat(null, { maxWorkers: 3 })).toEqual({ status: 'healthy' });
  });

  it.each(['healthy', 'offline'])(
    'BX-01 is 404 outside of the queues of the key, for one that is %s',
    async (state) => {
      await register();
      await states[state]!();
      await expect(beat(null, { queues: ['bills'] })).rejects.toEqual(unknown);
      await expect(beat(null, { workerId: 'unknown' })).rejects.toEqual(unknown);
      await beat(null, { queues: ['mail', 'bills'] });
    },
  );
});

describe('a drain', () => {
  const audited = async () =>
    (
      await fixture.sql<{ action: string }>(
        `SELECT action, before, after FROM audit_log WHERE organization_id = $1 AND target_kind = 'worker' ORDER BY at, id`,
        [org],
      )
    ).map(({ action, ...states }) => [action, states]);

  it('BX-25 is recorded once, also of a worker that drains by itself, and ended once', async () => {
    await register();
    await register('w2');
    await beat('draining');
    await drain();
    const { drain_requested_at: since } = (await stored())!;
    await drain();
    expect(since).toEqual(expect.any(Date));
    expect(await stored()).toMatchObject({ status: 'draining', drain_requested_at: since });
    for (let i = 0; i < 2; i++) await resume();
    expect(await stored()).toMatchObject({ status: 'healthy', drain_requested_at: null });
    expect(await audited()).toEqual([
      ['worker.drained', { before: { status: 'draining' }, after: { status: 'draining' } }],
      ['worker.resumed', { before: { status: 'draining' }, after: { status: 'healthy' } }],
    ]);
    expect(await stored('w2')).toMatchObject({ status: 'healthy', drain_requested_at: null });
  });

  it('BX-25 is refused for an offline worker, which a resumption leaves offline', async () => {
    await register();
    await states['drained and offline']!();
    await expect(drain()).rejects.toMatchObject({ status: 409, message: 'The worker is offline' });
    await resume();
    expect(await stored()).toMatchObject({ status: 'offline', drain_requested_at: null });
    expect(await beat(null)).toEqual({ status: 'healthy' });
  });

  it('BX-25 PB-20 ends only where the plan has a place; an offline worker needs none', async () => {
    await registerOthers();
    await register();
    await drain();
    await expect(resume({ maxWorkers: 2 })).rejects.toMatchObject({ status: 429, extras: { current: 2, limit: 2 } });
    expect(await stored()).toMatchObject({ status: 'draining', drain_requested_at: expect.any(Date) });
    await resume({ maxWorkers: 3 });
    await states['drained and offline']!();
    await resume({ maxWorkers: 2 });
    expect(await stored()).toMatchObject({ status: 'offline', drain_requested_at: null });
  });

  it('BX-01 BX-25 is 404 outside of the queues of the key, and so is its end', async () => {
    await register();
    for (const more of [{ queues: ['bills'] }, { workerId: 'unknown' }]) {
      await expect(drain(more)).rejects.toEqual(unknown);
      await expect(resume(more)).rejects.toEqual(unknown);
    }
    await drain({ queues: ['mail', 'bills'] });
    await resume({ queues: ['mail', 'bills'] });
    expect(await stored()).toMatchObject({ status: 'healthy' });
  });
});

describe('a deregistration', () => {
  it('SP-07 makes a worker offline without jobs in hand, and no other', async () => {
    await register();
    await register('w2');
    await beat(null, { currentJobs: 3 });
    await deregister({ queues: ['mail', 'bills'] });
    expect([await stored(), await stored('w2')]).toMatchObject([
      { status: 'offline', current_jobs: 0 },
      { status: 'healthy' },
    ]);
  });

  it('BX-02 that is delivered late leaves a worker that has sent a heartbeat since', async () => {
    await register();
    await beat('degraded', { currentJobs: 3 });
    const { last_heartbeat: heartbeat } = (await stored())!;
    const at = (ms: number) => new Date(heartbeat.getTime() + ms).toISOString();
    await deregister({ issuedAt: at(-1) });
    expect(await stored()).toMatchObject({ status: 'degraded', current_jobs: 3 });
    await deregister({ issuedAt: at(1) });
    expect(await stored()).toMatchObject({ status: 'offline', current_jobs: 0 });
  });

  it('BX-01 is 404 outside of the queues of the key', async () => {
    await register();
    for (const more of [{ queues: ['bills'] }, { workerId: 'unknown' }])
      await expect(deregister(more)).rejects.toEqual(unknown);
    expect(await stored()).toMatchObject({ status: 'healthy' });
  });
});

it('BX-25 live events tell what a worker has become, and nothing when it was that already', async () => {
  const answers = [await register()];
  await beat('degraded');
  for (const act of [drain, drain, resume, resume, deregister]) answers.push(await act());
  expect(answers).toEqual(answers.map(() => ({ workerId: 'w1' })));
  const of = { worker_id: 'w1', timestamp: expect.any(String) as string };
  expect(fixture.events(org)).toEqual([
    { type: 'WorkerRegistered', data: { ...of, queue_name: 'mail' } },
    { type: 'WorkerHeartbeat', data: { ...of, status: 'degraded' } },
    { type: 'WorkerHeartbeat', data: { ...of, status: 'draining' } },
    { type: 'WorkerHeartbeat', data: { ...of, status: 'healthy' } },
    { type: 'WorkerDeregistered', data: of },
  ]);
});

it('SP-39 SP-40 live events tell of workers that missed heartbeats, each in its organization', async () => {
  const batches: EventBatch[] = [];
  const { db, maintenance } = fixture;
  const publish = (more: EventBatch[]) => void batches.push(...more);
  const context = { db, maintenance, heartbeatSeconds: 10, publish } as JobTaskContext;
  const task = jobTasks(context).find(({ name }) => name === 'stale-workers')!;
  const other = org;
  await register();
  org = await fixture.organization();
  for (const id of ['fresh', 'w1', 'late']) await register(id);
  const silent = `UPDATE workers SET last_heartbeat = current_ts() - $3 * interval '1 s' WHERE organization_id = $1 AND id = $2`;
  await fixture.sql(silent, [other, 'w1', 25]);
  await fixture.sql(silent, [org, 'late', 25]);
  await fixture.sql(silent, [org, 'w1', 60]);
  await task.run(new AbortController().signal);
  const told = batches
    .filter(({ organizationId }) => [org, other].includes(organizationId))
    .flatMap(({ organizationId, events }) => events.map((event) => ({ organizationId, ...event })));
  const timestamp = expect.any(String) as string;
  const heartbeat = (organizationId: string, worker_id: string, status: string) => {
    return { organizationId, type: 'WorkerHeartbeat', data: { worker_id, status, timestamp } };
  };
  expect(told).toHaveLength(3);
  expect(told).toEqual(
    expect.arrayContaining([
      heartbeat(other, 'w1', 'degraded'),
      heartbeat(org, 'late', 'degraded'),
      heartbeat(org, 'w1', 'offline'),
    ]),
  );
});

it('SP-07 what workers have done is added to them, not to others of the same id, and not from before their registration', async () => {
  const count = (organization: string, failed: boolean, offset: string, workers: string[], jobs: number[]) =>
    fixture.sql(
      `INSERT INTO worker_counts (organization_id, at, failed, workers, jobs)
       SELECT $1, registered_at + $3::interval, $2, $4, $5 FROM workers WHERE organization_id = $1 AND id = 'w1'`,
      [organization, failed, offset, workers, jobs],
    );
  const other = org;
  await register();
  org = await fixture.organization();
  await register('w2');
  await register();
  await count(org, false, '0', ['w1', 'w2', 'unknown'], [2, 10, 100]);
  await count(org, false, '1 s', ['w1'], [3]);
  await count(org, true, '1 s', ['w1'], [1]);
  await count(org, false, '-1 s', ['w1'], [1000]);
  expect(await fixture.maintenance.mergeWorkerCounts(3)).toBe(3);
  expect(await fixture.maintenance.mergeWorkerCounts(3)).toBe(1);
  expect(await fixture.maintenance.mergeWorkerCounts(3)).toBe(0);
  expect(await stored()).toMatchObject({ jobs_processed: '5', jobs_failed: '1' });
  expect(await stored('w2')).toMatchObject({ jobs_processed: '10', jobs_failed: '0' });
  expect(await stored('w1', other)).toMatchObject({ jobs_processed: '0', jobs_failed: '0' });
});

it('BX-03 SP-07 what workers have done is added to them later while another transaction holds one of them, and to the others at once', async () => {
  const count = (organization: string, workers: string[], jobs: number[]) =>
    fixture.sql(
      'INSERT INTO worker_counts (organization_id, at, failed, workers, jobs) VALUES ($1, current_ts(clock_timestamp()), false, $2, $3)',
      [organization, workers, jobs],
    );
  const other = org;
  await register();
  org = await fixture.organization();
  await register('w2');
  await register();
  await count(org, ['w1', 'w2'], [2, 10]);
  await count(org, ['w1'], [3]);
  await count(other, ['w1'], [7]);
  const done = async () =>
    (await Promise.all([stored(), stored('w2'), stored('w1', other)])).map((row) => Number(row!.jobs_processed));
  const holder = new pg.Client({ connectionString: fixture.database.superuserUrl });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(`SELECT FROM workers WHERE organization_id = $1 AND id = 'w2' FOR UPDATE`, [org]);
    expect([await fixture.maintenance.mergeWorkerCounts(9), await done()]).toEqual([2, [3, 0, 7]]);
    await holder.query('ROLLBACK');
  } finally {
    await holder.end();
  }
  expect([await fixture.maintenance.mergeWorkerCounts(9), await done()]).toEqual([1, [5, 10, 7]]);
});
