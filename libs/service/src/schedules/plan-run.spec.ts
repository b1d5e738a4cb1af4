import type { DueScheduleRow } from '@spooled/data-access';
import { planRun } from './plan-run.js';

const dueAt = '2030-01-01T03:00:00.000Z';

/** A daily schedule that is read at `now`. */
const scheduleAt = (now: string, more: Partial<DueScheduleRow> = {}): DueScheduleRow => ({
  id: 'schedule',
  organization_id: 'organization',
  name: 'nightly',
  cron_expression: '0 3 * * *',
  timezone: 'UTC',
  queue_name: 'reports',
  payload: '{}',
  priority: 7,
  max_retries: 1,
  timeout_seconds: 42,
  tags: null,
  settings: null,
  due_at: dueAt,
  changed_at: '2029-12-31T00:00:00.000Z',
  plan_tier: 'free',
  custom_limits: null,
  has_contract: false,
  now,
  ...more,
});

const nextAfter = (now: string, more?: Partial<DueScheduleRow>) => planRun(scheduleAt(now, more), {}).nextRunAt;

it('a run creates a job with the fields of its schedule, within the limits of the plan', () => {
  const more = {
    tags: '["a"]',
    settings: '{"retry_strategy":"fixed"}',
    custom_limits: { max_active_jobs: 3 },
  };
  const run = planRun(scheduleAt(dueAt, more), { free: { max_queues: 2 } });
  expect(run).toMatchObject({
    ...{
      id: 'schedule',
      organizationId: 'organization',
      name: 'nightly',
      dueAt,
      changedAt: '2029-12-31T00:00:00.000Z',
    },
    job: {
      ...{
        id: expect.any(String),
        queueName: 'reports',
        payload: '{}',
        priority: 7,
        maxRetries: 1,
        timeoutSeconds: 42,
      },
      ...{ tags: more.tags, settings: more.settings },
    },
    quota: { plan: 'free', maxActiveJobs: 3, maxQueues: 2 },
  });
});

describe('the next time of a schedule that fires', () => {
  it.each(['2030-01-01T03:00:00.000Z', '2030-01-01T03:00:00.001Z', '2030-01-01T03:00:00.999Z'])(
    'MQ-22 is not the one that fires, at %s',
    (now) => expect(nextAfter(now)).toBe('2030-01-02T03:00:00.000Z'),
  );

  it('MQ-22 is the first after now, however many were missed', () => {
    expect(nextAfter('2030-03-05T02:59:59.999Z')).toBe('2030-03-05T03:00:00.000Z');
    expect(nextAfter('2030-03-05T03:00:00.000Z')).toBe('2030-03-06T03:00:00.000Z');
  });

  it('is each second of an expression with seconds', () => {
    expect(nextAfter('2030-01-01T03:00:00.300Z', { cron_expression: '* * * * * *' })).toBe('2030-01-01T03:00:01.000Z');
  });

  it('is none when the expression is no longer valid, and the run says why', () => {
    const { nextRunAt, job } = planRun(scheduleAt(dueAt, { cron_expression: '61 * * * *' }), {});
    expect([nextRunAt, job]).toEqual([null, { problem: expect.stringContaining('cron'), queueName: 'reports' }]);
  });
});
