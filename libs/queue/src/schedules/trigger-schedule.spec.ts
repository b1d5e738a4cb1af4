import { randomUUID } from 'node:crypto';
import { command, newJob, unlimited } from '@spooled/testing';
import { EngineFixture } from '../testing/job-lifecycle.fixture.js';

let bench: EngineFixture;
let org: string;
let scheduleId: string;

beforeAll(async () => {
  bench = await EngineFixture.open();
});

beforeEach(async () => {
  org = await bench.organization();
  scheduleId = randomUUID();
  await bench.sql(
    `INSERT INTO schedules (id, organization_id, name, cron_expression, queue_name, payload_template, is_active)
     VALUES ($1, $2, 'nightly', '0 3 * * *', 'reports', $3, false)`,
    [scheduleId, org, '{"text":"\\u0000 \\ud800",  "n":1}'],
  );
  bench.heard.length = 0;
});

afterAll(() => bench?.close());

const trigger = (more: { organizationId?: string; redelivered?: boolean; jobId?: string } = {}) => {
  const { organizationId = org, redelivered, jobId = newJob().id } = more;
  const body = { scheduleId, jobId, queues: null, quota: unlimited };
  return command('schedule.trigger', organizationId, body, { redelivered });
};

describe('triggering a schedule', () => {
  it('BX-08 runs it once when the command comes again, and answers as the first time', async () => {
    const jobId = newJob().id;
    const first = await bench.run(trigger({ jobId }));
    expect(await bench.run(trigger({ jobId, redelivered: true }))).toEqual(first);
    expect(await bench.sql('SELECT job_id FROM schedule_runs WHERE schedule_id = $1', [scheduleId])).toEqual([
      { job_id: jobId },
    ]);
    expect(await bench.sql('SELECT run_count FROM schedules WHERE id = $1', [scheduleId])).toEqual([{ run_count: 1 }]);
    expect(bench.events(org)).toHaveLength(1);
  });

  it('runs it when the command comes again without having run before', async () => {
    const { jobId } = await bench.run(trigger({ redelivered: true }));
    expect(await bench.job(jobId)).toMatchObject({ queue_name: 'reports', status: 'pending' });
  });

  it('tells of the job, wakes its queue, and decides deliveries that say where it came from', async () => {
    await bench.sql(
      `INSERT INTO outgoing_webhooks (organization_id, name, url, events)
       VALUES ($1, 'all', 'http://localhost:9/hook', '{job.created,schedule.triggered}')`,
      [org],
    );
    const { jobId } = await bench.run(trigger());
    expect(bench.events(org)).toMatchObject([{ type: 'JobCreated', data: { job_id: jobId, queue_name: 'reports' } }]);
    const effects = bench.heard[0]!;
    expect(effects.wakeups).toEqual([{ organizationId: org, queueName: 'reports' }]);
    const decided = await bench.sql('SELECT id, event, payload FROM webhook_deliveries WHERE organization_id = $1', [
      org,
    ]);
    expect(decided.map(({ id }) => id).sort()).toEqual(effects.deliveries.map(({ id }) => id).sort());
    const origin = { schedule_id: scheduleId, job_id: jobId, queue_name: 'reports' };
    expect(Object.fromEntries(decided.map(({ event, payload }) => [event, payload]))).toEqual({
      'job.created': { ...origin, source: 'schedule', priority: 0, status: 'pending' },
      'schedule.triggered': { ...origin, source: 'manual' },
    });
  });

  it('keeps the payload as it was written, also where only half of it is Unicode', async () => {
    const { jobId } = await bench.run(trigger());
    const [job] = await bench.sql('SELECT payload::text AS payload FROM jobs WHERE id = $1', [jobId]);
    expect(job).toEqual({ payload: '{"text":"\\u0000 \\ud800",  "n":1}' });
  });

  it('BX-01 does not reach into another organization', async () => {
    const organizationId = await bench.organization();
    await expect(bench.run(trigger({ organizationId }))).rejects.toMatchObject({ status: 404 });
    expect(await bench.sql('SELECT FROM schedule_runs WHERE schedule_id = $1', [scheduleId])).toEqual([]);
  });
});
