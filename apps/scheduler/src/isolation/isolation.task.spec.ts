import { eventually, useDatabase, useSuperuser } from '@spooled/testing';
import { startScheduler, type TestScheduler } from '../scheduler.fixture.js';
import { IsolationTask } from './isolation.task.js';

const database = useDatabase();
const superuser = useSuperuser(database);
const running: TestScheduler[] = [];
afterEach(async () => {
  for (const scheduler of running.splice(0)) await scheduler.stop();
  await superuser.query('DELETE FROM isolation_checks');
});

async function start(idle: boolean): Promise<TestScheduler> {
  const scheduler = await startScheduler(database, { idle });
  running.push(scheduler);
  return scheduler;
}
const checks = async (): Promise<{ passed: boolean }[]> =>
  (await superuser.query<{ passed: boolean }>('SELECT passed FROM isolation_checks ORDER BY id')).rows;
const gauge = async ({ service }: TestScheduler): Promise<string | undefined> =>
  /^spooled_isolation_check_passed (.*)$/m.exec(await service.metrics.text())?.[1];

describe('the task isolation', () => {
  it('SP-59 SP-105 checks soon after the first start, once for all replicas, and shows the result as a metric', async () => {
    const [one, two] = await Promise.all([start(false), start(false)]);
    await eventually(async () => expect(await checks()).toEqual([{ passed: true }]));
    expect([await gauge(one), await gauge(two)]).toEqual(['1', '1']);
    await Promise.all([one, two].map(({ app }) => app.get(IsolationTask).run()));
    expect(await checks()).toHaveLength(1);
    expect(one.log.concat(two.log).join('')).not.toContain('not isolated');
  });

  it('SP-59 checks again when the last check is older than the interval, or of another version', async () => {
    const scheduler = await start(true);
    const task = scheduler.app.get(IsolationTask);
    expect(await gauge(scheduler)).toBeUndefined();
    expect(await task.msUntilDue()).toBe(0);
    expect(await task.run()).toBeGreaterThan(20);
    const dayMs = 24 * 3_600_000;
    expect(await task.msUntilDue()).toBeGreaterThan(dayMs - 60_000);
    await superuser.query(`UPDATE isolation_checks SET started_at = now() - interval '25 hours'`);
    expect(await task.msUntilDue()).toBeLessThan(0);
    expect(await task.run()).toBeGreaterThan(20);
    await superuser.query(`UPDATE isolation_checks SET version = 'previous'`);
    expect(await task.msUntilDue()).toBe(0);
    expect(await checks()).toHaveLength(2);
  });

  it('SP-59 SP-105 logs an error that names the table, and lowers the gauge, until a check passes', async () => {
    const scheduler = await start(true);
    const task = scheduler.app.get(IsolationTask);
    await superuser.query('ALTER TABLE schedules NO FORCE ROW LEVEL SECURITY');
    await task.run();
    const line = scheduler.log
      .map((text) => JSON.parse(text) as Record<string, unknown>)
      .find(({ findings }) => findings);
    expect(line).toMatchObject({ level: 'error', msg: 'tenants are not isolated: schedules' });
    expect(await gauge(scheduler)).toBe('0');
    await superuser.query('ALTER TABLE schedules FORCE ROW LEVEL SECURITY');
    await superuser.query(`UPDATE isolation_checks SET started_at = now() - interval '25 hours'`);
    await task.run();
    expect(await gauge(scheduler)).toBe('1');
  });

  it('SP-59 SP-105 keeps the gauge lowered after a check that left the table out, and repeats it after an hour', async () => {
    const scheduler = await start(true);
    const task = scheduler.app.get(IsolationTask);
    await superuser.query('ALTER TABLE schedules NO FORCE ROW LEVEL SECURITY');
    await task.run();
    await superuser.query(`UPDATE isolation_checks SET started_at = now() - interval '25 hours'`);
    await superuser.query('BEGIN; LOCK TABLE schedules IN ACCESS EXCLUSIVE MODE');
    await task.run();
    await superuser.query('ROLLBACK; ALTER TABLE schedules FORCE ROW LEVEL SECURITY');
    expect(await checks()).toEqual([{ passed: false }, { passed: true }]);
    expect(scheduler.log.join('')).toContain('the isolation of some tables was not checked');
    expect(await gauge(scheduler)).toBe('0');
    expect(await task.msUntilDue()).toBeLessThanOrEqual(3_600_000);
    await superuser.query(`UPDATE isolation_checks SET started_at = now() - interval '61 minutes'`);
    await task.run();
    expect(await gauge(scheduler)).toBe('1');
  });
});
