import { enqueue, newJob } from '@spooled/testing';
import { useEngine } from '../testing/job-lifecycle.fixture.js';
import { TestWorkflow } from '../testing/workflow-steps.fixture.js';
import { requireReceiver } from './receivers.js';

describe('MQ-04 receivers of new jobs', () => {
  const fixture = useEngine();
  let org: string;
  beforeEach(async () => void (org = await fixture.organization()));

  const configure = (settings: object, more: { enabled?: boolean } = {}) =>
    fixture.sql(
      `INSERT INTO queue_config (organization_id, queue_name, enabled, settings) VALUES ($1, 'emails', $2, $3)
       ON CONFLICT (organization_id, queue_name) DO UPDATE SET settings = excluded.settings`,
      [org, more.enabled ?? true, settings],
    );
  const called = { settings: '{"callback_url":"https://example.com/"}' };
  const invalid = (path: string, reason: string) =>
    expect.objectContaining({ status: 400, details: { [path]: expect.stringContaining(reason) as unknown } });
  const jobsOf = async (queueName: string) => {
    const rows = await fixture.sql('SELECT id FROM jobs WHERE organization_id = $1 AND queue_name = $2', [
      org,
      queueName,
    ]);
    return rows.length;
  };

  it('are their own where the queue pushes and has none', async () => {
    await configure({ push: true });
    await expect(fixture.run(enqueue(org, [newJob()]))).rejects.toEqual(invalid('callback_url', 'each job needs one'));
    await expect(
      fixture.run(enqueue(org, [newJob(called), newJob({ settings: '{"retry_delay_ms":5}' })])),
    ).rejects.toEqual(invalid('jobs[1].callback_url', 'each job needs one'));
    expect(await jobsOf('emails')).toBe(0);
    await fixture.run(enqueue(org, [newJob(called)]));
    await configure({ push: true, callback_url: 'https://example.com/' });
    await fixture.run(enqueue(org, [newJob()]));
    expect(await jobsOf('emails')).toBe(2);
  });

  it('are required in a paused queue as well', async () => {
    await configure({ push: true }, { enabled: false });
    await expect(fixture.run(enqueue(org, [newJob()]))).rejects.toEqual(invalid('callback_url', 'each job needs one'));
  });

  it('are refused where workers take the jobs', async () => {
    const own = invalid('callback_url', 'does not push');
    await expect(fixture.run(enqueue(org, [newJob(called)]))).rejects.toEqual(own);
    await configure({ push: false });
    await expect(fixture.run(enqueue(org, [newJob(called)]))).rejects.toEqual(own);
    await fixture.run(enqueue(org, [newJob({ settings: '{"retry_delay_ms":5}' })]));
  });

  it('refuse one command of a batch, all of it, and leave its idempotency keys free', async () => {
    await configure({ push: true });
    const key = { idempotencyKey: 'k' };
    const others = { queueName: 'other' };
    const outcomes = await fixture.engine.execute([
      enqueue(org, [newJob(others)]),
      enqueue(org, [newJob({ ...others, ...key }), newJob()]),
      enqueue(org, [newJob({ ...others, ...key })]),
    ]);
    expect(outcomes).toMatchObject([{ ok: true }, { ok: false, error: { status: 400 } }, { ok: true }]);
    expect(outcomes[2]).toMatchObject({ value: { jobs: [{ created: true }] } });
    expect(await jobsOf('other')).toBe(2);
  });

  it('are checked for jobs that come later, such as those of a schedule', async () => {
    const check = (settings: string | null, path?: string) =>
      fixture.db.withTenant(org, (tx) => requireReceiver(tx, { queueName: 'emails', settings, path }));
    await check(null);
    await check('{"retry_delay_ms":5}');
    await expect(check(called.settings)).rejects.toEqual(invalid('callback_url', 'queue "emails" does not push'));
    await configure({ push: true });
    await check(called.settings);
    const missing = 'queue "emails" pushes its jobs and has no settings.callback_url';
    await expect(check(null, 'job.')).rejects.toEqual(invalid('job.callback_url', missing));
  });

  it('do not matter to a command that has run before', async () => {
    const first = enqueue(org, [newJob()]);
    await fixture.run(first);
    await configure({ push: true });
    await expect(fixture.run({ ...first, redelivered: true })).resolves.toMatchObject({ jobs: [{ created: true }] });
  });

  it('are checked for the steps of workflows, whole', async () => {
    await configure({ push: true });
    const plan = { second: { on: ['first'] }, first: { queue: 'other' } };
    await expect(TestWorkflow.create(fixture, org, plan)).rejects.toEqual(
      invalid('jobs[0].callback_url', 'each job needs one'),
    );
    expect(await fixture.sql('SELECT id FROM workflows WHERE organization_id = $1', [org])).toEqual([]);
    expect(await jobsOf('other')).toBe(0);
  });
});
