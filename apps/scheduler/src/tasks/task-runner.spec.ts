import { randomUUID } from 'node:crypto';
import type { EventEnvelope } from '@spooled/contracts';
import { type AppLogger, createMetrics, readSettings } from '@spooled/platform';
import { JobEngine, type ScheduledTask, type TaskName } from '@spooled/queue';
import { claim, enqueue, eventually, gate, moveClock, newJob, openConnections, useForAll } from '@spooled/testing';
import { QueueSignals, RedisEventSubscriber } from '@spooled/transport';
import pg from 'pg';
import { schedulerMetrics, schedulerSettings } from '../scheduler.config.js';
import { silent, useSchedulers } from '../scheduler.fixture.js';
import { TaskRunner } from './task-runner.js';

const { database, schedulers } = useSchedulers();
/** Changes jobs as a service would. */
const direct = useForAll(
  () => {
    const db = openConnections(database);
    return Promise.resolve({ db, engine: new JobEngine(db, { onEffects: () => undefined }) });
  },
  ({ db }) => db.close(),
);

async function run(...commands: Parameters<JobEngine['execute']>[0]) {
  const outcomes = await direct.engine.execute(commands);
  return outcomes.map((outcome) => {
    if (!outcome.ok) throw new Error(outcome.error.message);
    return outcome.value;
  });
}

const states = (org: string) =>
  direct.db.withTenant(org, (tx) =>
    tx.query<{ status: string; retry_count: number; count: number }>(
      'SELECT status, retry_count, count(*) FROM job_records GROUP BY 1, 2 ORDER BY 1, 2',
    ),
  );

describe('the scheduler', () => {
  it('SP-09 BX-02 KF-23 recovers a lease when it expires, long before the next sweep, and wakes the queue', async () => {
    const org = randomUUID();
    await schedulers.start();
    const signals = new QueueSignals(schedulers.shards);
    const woken = new Promise((resolve) => signals.onWake(org, 'emails', resolve));
    await run(enqueue(org, [newJob()]));
    await run(claim(org, { leaseSeconds: 1 }));
    // The first sweep runs at startup and the second 30 s later, after the end of the test.
    await woken;
    const [again] = await run(claim(org, { workerId: 'w2' }));
    expect(again).toMatchObject({ jobs: [{ retryCount: 1 }] });
  });

  it('SP-25 does nothing twice when two schedulers run', async () => {
    const org = randomUUID();
    const past = '2020-01-01T00:00:00Z';
    await run(
      enqueue(
        org,
        Array.from({ length: 300 }, () => newJob({ queueName: 'leased' })),
      ),
    );
    await run(claim(org, { queueName: 'leased', limit: 100 }), claim(org, { queueName: 'leased', limit: 100 }));
    const future = '2099-01-01T00:00:00Z';
    await run(
      enqueue(
        org,
        Array.from({ length: 300 }, () => newJob({ queueName: 'later', scheduledAt: future })),
      ),
    );
    await direct.db.withTenant(org, async (tx) => {
      await tx.query(`UPDATE job_queue SET lease_expires_at = $1 WHERE state = 'leased'`, [past]);
      await tx.query(`UPDATE job_queue SET due_at = $1 WHERE state = 'scheduled'`, [past]);
    });
    const events: EventEnvelope[] = [];
    const subscriber = new RedisEventSubscriber(schedulers.shards, silent);
    const leave = subscriber.subscribe(org, (more) => events.push(...more.map(({ envelope }) => envelope)));
    await subscriber.ready(org);

    await Promise.all([schedulers.start(), schedulers.start()]);
    await eventually(async () =>
      expect(await states(org)).toEqual([
        { status: 'pending', retry_count: 0, count: 400 },
        { status: 'pending', retry_count: 1, count: 200 },
      ]),
    );
    const changes = () => events.flatMap(({ type, data }) => (type === 'JobStatusChange' ? [data.job_id] : []));
    await eventually(() => expect(changes().length).toBeGreaterThanOrEqual(500));
    await schedulers.stopAll();
    expect(new Set(changes()).size).toBe(500);
    expect(changes()).toHaveLength(500);
    leave();
  });

  it('SP-24 resumes after an outage of PostgreSQL, and logs its start and end once', async () => {
    const org = randomUUID();
    await run(enqueue(org, [newJob({ scheduledAt: '2099-01-01T00:00:00Z' })]));
    const { log, service } = await schedulers.start();
    await admitConnections(false);
    const failed = /scheduled_task_runs_total\{task="due-jobs",outcome="failed"\} [1-9]/;
    // Due jobs are looked for every 5 s, and after failures less often.
    const patient = { timeoutMs: 20_000 };
    await eventually(async () => expect(await service.metrics.text()).toMatch(failed), patient);
    await admitConnections(true);
    await direct.db.withTenant(org, (tx) => tx.query('UPDATE job_queue SET due_at = now()'));
    await eventually(async () => expect(await states(org)).toMatchObject([{ status: 'pending' }]), patient);
    const changes = () => log.flatMap((line) => /PostgreSQL is (unavailable|available again)/.exec(line)?.[1] ?? []);
    await eventually(() => expect(changes().at(-1)).toBe('available again'), patient);
    // Before all connections are cut, tasks that have one still end well, so that the outage may begin twice.
    expect(changes()).toEqual(changes().map((_, i) => (i % 2 === 0 ? 'unavailable' : 'available again')));
    expect(log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  it('SP-35 marks a worker that stops sending heartbeats while the scheduler runs', async () => {
    await schedulers.start({ env: { TASK_STALE_WORKERS_INTERVAL_MS: '100' } });
    const org = randomUUID();
    const statuses = () => direct.db.withTenant(org, (tx) => tx.query('SELECT status FROM workers'));
    await direct.db.withTenant(org, (tx) =>
      tx.query(
        `INSERT INTO workers (id, organization_id, queue_name, hostname, status, last_heartbeat)
         VALUES ('w1', $1, 'emails', 'host', 'healthy', current_ts())`,
        [org],
      ),
    );
    for (const [time, status] of [
      ['25 s', 'degraded'],
      ['35 s', 'offline'],
    ] as const) {
      await moveClock(database, time);
      await eventually(async () => expect(await statuses()).toEqual([{ status }]));
    }
  });

  it('MQ-29 PB-19 runs tasks at the intervals of their settings', async () => {
    const { service } = await schedulers.start({ env: { TASK_GAUGES_INTERVAL_MS: '100' } });
    const runs = async (task: string) => {
      const text = await service.metrics.text();
      const found = new RegExp(`task_runs_total{task="${task}",outcome="completed"} (\\d+)`).exec(text);
      return Number(found?.[1] ?? 0);
    };
    // By default both would run at most twice in the meantime.
    await eventually(async () => expect(await runs('gauges')).toBeGreaterThan(5));
    expect(await runs('retention')).toBeLessThan(2);
  });

  it('MQ-29 refuses intervals outside their bounds by name', () => {
    const settings = { DATABASE_URL: database.appUrl, TASK_EXPIRY_INTERVAL_MS: '10', TASK_CRON_SWEEP_MS: '100000000' };
    const read = () => readSettings(schedulerSettings, settings);
    expect(read).toThrow('TASK_EXPIRY_INTERVAL_MS');
    expect(read).toThrow('TASK_CRON_SWEEP_MS');
  });
});

/** `false` makes this database unavailable: closes open connections and refuses new ones. */
async function admitConnections(admit: boolean): Promise<void> {
  const adminUrl = new URL(database.superuserUrl);
  adminUrl.pathname = '/postgres';
  const client = new pg.Client({ connectionString: adminUrl.href });
  await client.connect();
  await client.query(`ALTER DATABASE ${database.name} ALLOW_CONNECTIONS ${admit}`);
  if (!admit) {
    const cut = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1';
    await client.query(cut, [database.name]);
  }
  await client.end();
}

it('BX-02 locks of tasks leave connections of a small PgBouncer to the recovery of leases', async () => {
  const end = gate();
  const begun: string[] = [];
  const taskOf = (name: TaskName): ScheduledTask => ({
    name,
    fullBatch: Infinity,
    run: async () => {
      begun.push(name);
      await end.opened;
      return 0;
    },
  });
  const names: TaskName[] = ['expiry', 'dependencies', 'counters', 'commands', 'partitions', 'retention'];
  const recovery = { ...taskOf('lease-recovery'), msUntilDue: () => Promise.resolve(0) };
  const env = { DATABASE_URL: database.appUrl, DATABASE_SYSTEM_URL: database.systemUrl };
  const settings = readSettings(schedulerSettings, env);
  const tasks = [...names.map(taskOf), recovery];
  const logger = { ...silent, debug: () => undefined } as unknown as AppLogger;
  const db = openConnections(database, { maxSystemConnections: 6 });
  const runner = new TaskRunner(db, logger, createMetrics(schedulerMetrics), settings, tasks);
  runner.start();
  try {
    await eventually(() => expect(begun.toSorted()).toEqual(['counters', 'dependencies', 'expiry', 'lease-recovery']));
    end.open();
    await eventually(() => expect(new Set(begun)).toEqual(new Set([...names, 'lease-recovery'])));
  } finally {
    end.open();
    await runner.stop();
    await db.close();
  }
});
