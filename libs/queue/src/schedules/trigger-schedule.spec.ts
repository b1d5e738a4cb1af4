import { randomUUID } from 'node:crypto';
import { command, newJob, unlimited } from '@spooled/testing';
import { EffectsBuilder } from '../step/effects.js';
import { useEngine } from '../testing/job-lifecycle.fixture.js';
import { recordRuns } from './record-runs.js';

const fixture = useEngine();
let org: string;
let scheduleId: string;

beforeEach(async () => {
  org = await fixture.organization();
  scheduleId = randomUUID();
  await fixture.sql(
    `INSERT INTO schedules (id, organization_id, name, cron_expression, queue_name, payload_template, is_active)
     VALUES ($1, $2, 'nightly', '0 3 * * *', 'reports', $3, false)`,
    [scheduleId, org, '{"text":"\\u0000 \\ud800",  "n":1}'],
  );
  fixture.effects.length = 0;
});

const trigger = (more: { organizationId?: string; redelivered?: boolean; jobId?: string } = {}) => {
  const { organizationId = org, redelivered, jobId = newJob().id } = more;
  const body = { scheduleId, jobId, queues: null, quota: unlimited };
  return command('schedule.trigger', organizationId, body, { redelivered });
};

describe('triggering a schedule', () => {
  it('BX-08 runs once when the command is redelivered, and returns the first result', async () => {
    const jobId = newJob().id;
    const first = await fixture.run(trigger({ jobId }));
    expect(await fixture.run(trigger({ jobId, redelivered: true }))).toEqual(first);
    expect(await fixture.sql('SELECT job_id FROM schedule_runs WHERE schedule_id = $1', [scheduleId])).toEqual([
      { job_id: jobId },
    ]);
    expect(await fixture.sql('SELECT run_count FROM schedules WHERE id = $1', [scheduleId])).toEqual([
      { run_count: 1 },
    ]);
    expect(fixture.events(org).map(({ type }) => type)).toEqual(['JobCreated', 'ScheduleTriggered']);
  });

  it('MQ-04 is refused where its job would be pushed to no receiver', async () => {
    await fixture.sql(
      `INSERT INTO queue_config (organization_id, queue_name, settings) VALUES ($1, 'reports', '{"push":true}')`,
      [org],
    );
    await expect(fixture.run(trigger())).rejects.toMatchObject({
      status: 400,
      details: { callback_url: expect.stringContaining('each job needs one') as unknown },
    });
    expect(await fixture.sql('SELECT id FROM schedule_runs WHERE schedule_id = $1', [scheduleId])).toEqual([]);
  });

  it('runs when a redelivered command has not run before', async () => {
    const { jobId } = await fixture.run(trigger({ redelivered: true }));
    expect(await fixture.job(jobId)).toMatchObject({ queue_name: 'reports', status: 'pending' });
  });

  it('publishes the job, wakes its queue, and records webhook deliveries with their source', async () => {
    await fixture.sql(
      `INSERT INTO outgoing_webhooks (organization_id, name, url, events)
       VALUES ($1, 'all', 'http://localhost:9/hook', '{job.created,schedule.triggered}')`,
      [org],
    );
    const { jobId } = await fixture.run(trigger());
    expect(fixture.events(org)).toMatchObject([
      { type: 'JobCreated', data: { job_id: jobId, queue_name: 'reports' } },
      { type: 'ScheduleTriggered', data: { job_id: jobId, queue_name: 'reports', source: 'manual' } },
    ]);
    const effects = fixture.effects[0]!;
    expect(effects.wakeups).toEqual([{ organizationId: org, queueName: 'reports' }]);
    const decided = await fixture.sql('SELECT id, event, payload FROM webhook_deliveries WHERE organization_id = $1', [
      org,
    ]);
    expect(decided.map(({ id }) => id).sort()).toEqual(effects.deliveries.map(({ id }) => id).sort());
    const origin = { schedule_id: scheduleId, job_id: jobId, queue_name: 'reports' };
    expect(Object.fromEntries(decided.map(({ event, payload }) => [event, payload]))).toEqual({
      'job.created': { ...origin, source: 'schedule', priority: 0, status: 'pending' },
      'schedule.triggered': { ...origin, source: 'manual' },
    });
  });

  it('keeps the payload unchanged, including invalid Unicode escapes', async () => {
    const { jobId } = await fixture.run(trigger());
    const [job] = await fixture.sql('SELECT payload::text AS payload FROM jobs WHERE id = $1', [jobId]);
    expect(job).toEqual({ payload: '{"text":"\\u0000 \\ud800",  "n":1}' });
  });

  it('MQ-24 creates the job that the schedule defines', async () => {
    await fixture.sql(
      `UPDATE schedules SET priority = 5, max_retries = 7, timeout_seconds = 90, tags = '{"team":"x"}',
         settings = '{"retry_delay_ms":10}', payload_template = '{"job_type":"report"}' WHERE id = $1`,
      [scheduleId],
    );
    const { jobId, triggeredAt } = await fixture.run(trigger());
    const [stored] = await fixture.sql('SELECT settings, timeout_seconds FROM jobs WHERE id = $1', [jobId]);
    expect([stored, await fixture.job(jobId)]).toMatchObject([
      { settings: { retry_delay_ms: 10 }, timeout_seconds: 90 },
      { priority: 5, max_retries: 7, tags: { team: 'x' }, job_type: 'report', created_at: new Date(triggeredAt) },
    ]);
  });

  it('BX-01 is refused to keys of other queues', async () => {
    const of = (queues: string[]) => {
      const { body, ...rest } = trigger();
      return fixture.run({ ...rest, body: { ...body, queues } });
    };
    await expect(of(['mail'])).rejects.toMatchObject({
      ...{ status: 403, message: 'This API key has no access to queue "reports"' },
    });
    expect(await fixture.sql('SELECT FROM schedule_runs WHERE schedule_id = $1', [scheduleId])).toEqual([]);
    await of(['mail', 'reports']);
    expect(await fixture.sql('SELECT FROM schedule_runs WHERE schedule_id = $1', [scheduleId])).toHaveLength(1);
  });

  it('BX-01 cannot trigger a schedule of another organization', async () => {
    const organizationId = await fixture.organization();
    const unknown = { status: 404, message: 'Schedule not found' };
    await expect(fixture.run(trigger({ organizationId }))).rejects.toMatchObject(unknown);
    expect(await fixture.sql('SELECT FROM schedule_runs WHERE schedule_id = $1', [scheduleId])).toEqual([]);
  });
});

it('a run that created no job is recorded with its reason, and subscribers are told of no job', async () => {
  const run = { scheduleId, organizationId: org, queueName: 'reports', jobId: null, error: 'no place' };
  const effects = new EffectsBuilder();
  await fixture.db.asSystem('spec', (tx) => recordRuns(tx, [run], 'schedule', effects));
  expect(effects.build().events).toEqual([]);
  const runs = 'SELECT job_id, status, error_message FROM schedule_runs WHERE schedule_id = $1';
  expect(await fixture.sql(runs, [scheduleId])).toEqual([
    { job_id: null, status: 'failed', error_message: 'no place' },
  ]);
});
