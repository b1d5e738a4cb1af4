import type { ScheduleFields, ScheduleRow } from '@spooled/data-access';
import { parseCron, planLimits, type PlanLimits } from '@spooled/domain';
import { createTenant, useConnections, useDatabase } from '@spooled/testing';
import { addSchedule, replaceSchedule } from './schedule-changes.js';
import { newSchedule } from './schedule-fields.js';

const stores = useDatabase();
const database = useConnections(stores, { maxConnections: 2 });
let organizationId: string;
beforeEach(async () => void ({ organizationId } = await createTenant(stores.superuserUrl)));

const limitsOf = (more: object = {}) => planLimits('starter', {}, { max_schedules: 2, max_queues: 2, ...more });
const fields = (more: Partial<ScheduleFields> = {}): ScheduleFields => ({
  ...newSchedule(
    { name: 'nightly', cron_expression: '0 3 * * *', queue_name: 'reports', payload_template: {} } as never,
    '{}',
    { production: true, httpHosts: [] },
  ),
  ...more,
});
const cronOf = ({ cron_expression, timezone }: ScheduleFields) => parseCron(cron_expression, timezone);

const add = (more: Partial<ScheduleFields> = {}, limits: PlanLimits = limitsOf()): Promise<ScheduleRow> => {
  const schedule = fields(more);
  return database.withTenant(organizationId, (tx) => addSchedule(tx, limits, schedule, cronOf(schedule)));
};
const change = (before: ScheduleRow, more: Partial<ScheduleFields>, limits: PlanLimits = limitsOf()) => {
  const after = { ...before, ...more };
  return database.withTenant(organizationId, (tx) =>
    replaceSchedule(tx, limits, { before, after, cron: cronOf(after) }),
  );
};
const over = (resource: string) => ({
  code: 'QUOTA_EXCEEDED',
  extras: { resource, current: 2, limit: 2, plan: 'starter', upgrade_to: 'pro' },
});

describe('the quota of schedules', () => {
  it('is of those that are active, of the organization, up to its bound', async () => {
    const [first] = [await add(), await add()];
    await expect(add()).rejects.toMatchObject(over('schedules'));
    await add({}, limitsOf({ max_schedules: null }));
    const paused = await change(first, { is_active: false });
    expect(paused).toMatchObject({ is_active: false, next_run_at: null });
    ({ organizationId } = await createTenant(stores.superuserUrl));
    expect(await add()).toMatchObject({ is_active: true, next_run_at: expect.stringMatching(/T03:00:00/) });
  });

  it('applies to a schedule that is resumed, and not to one that stays active', async () => {
    const [first, second] = [await add(), await add()];
    const paused = await change(first, { is_active: false });
    await add();
    await expect(change(paused, { is_active: true })).rejects.toMatchObject(over('schedules'));
    expect(await change(second, { priority: 7 }, limitsOf({ max_schedules: 1, max_queues: 0 }))).toMatchObject({
      priority: 7,
    });
  });
});

describe('the quota of queues', () => {
  it('counts the queue of a new schedule, and of one that moves without the one that it leaves', async () => {
    const first = await add({ queue_name: 'one' });
    await add({ queue_name: 'two' });
    const most = limitsOf({ max_schedules: null });
    await expect(add({ queue_name: 'three' }, most)).rejects.toMatchObject(over('queues'));
    expect(await change(first, { queue_name: 'three' }, most)).toMatchObject({ queue_name: 'three', is_active: true });
    const another = await add({ queue_name: 'two' }, most);
    await expect(change(another, { queue_name: 'four' }, most)).rejects.toMatchObject(over('queues'));
    expect(await change(another, { queue_name: 'four', is_active: false }, most)).toMatchObject({ queue_name: 'four' });
  });
});

describe('the next run of a schedule', () => {
  it('stays with a change of other fields, also if it is due', async () => {
    const due = { ...(await add()), next_run_at: '2020-01-01T03:00:00Z' };
    expect(Date.parse((await change(due, { priority: 7 })).next_run_at!)).toBe(Date.parse(due.next_run_at));
    for (const more of [{ cron_expression: '0 4 * * *' }, { timezone: 'Europe/Zurich' }])
      expect(Date.parse((await change(due, more)).next_run_at!)).toBeGreaterThan(Date.parse('2020-01-02'));
    const paused = { ...due, is_active: false };
    expect(Date.parse((await change(paused, { is_active: true })).next_run_at!)).toBeGreaterThan(
      Date.parse('2020-01-02'),
    );
  });

  it('is required: an expression that matches no time would count and never run', async () => {
    const never = { cron_expression: '0 0 30 2 *' };
    const details = { cron_expression: 'matches no time' };
    await expect(add(never)).rejects.toMatchObject({ status: 400, details });
    await expect(change(await add(), never)).rejects.toMatchObject({ status: 400, details });
    expect(await change(await add(), { ...never, is_active: false })).toMatchObject({ is_active: false });
  });
});

it('a receiver is refused in a queue whose jobs only workers claim, when either changes', async () => {
  const settings = '{"callback_url":"https://hooks.example.com/"}';
  const refused = { status: 400, details: { callback_url: expect.any(String) } };
  await expect(add({ settings })).rejects.toMatchObject(refused);
  const schedule = await add();
  await expect(change(schedule, { settings })).rejects.toMatchObject(refused);
  const known = { ...schedule, settings };
  await expect(change(known, { queue_name: 'other' })).rejects.toMatchObject(refused);
  expect(await change(known, { priority: 7 })).toMatchObject({ priority: 7 });
});
