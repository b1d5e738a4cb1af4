import { claim, enqueue, newJob } from '@spooled/testing';
import { workerCommands, useEngine } from '../testing/job-lifecycle.fixture.js';

describe('a job that expires', () => {
  const fixture = useEngine();
  let org: string;
  beforeEach(async () => void (org = await fixture.organization()));

  /** In a minute of the time of the database. */
  async function soon(): Promise<string> {
    const [row] = await fixture.sql<{ at: Date }>(`SELECT current_ts() + interval '1 minute' AS at`);
    return row!.at.toISOString();
  }
  /** A job whose first attempt has failed, and which expires before its retry. */
  async function waitingForRetry(): Promise<string> {
    const backoff = '{"retry_strategy":"fixed","retry_delay_ms":3600000,"retry_jitter_ms":0}';
    const job = newJob({ maxRetries: 5, expiresAt: await soon(), settings: backoff });
    await fixture.run(enqueue(org, [job]));
    await fixture.run(workerCommands(org).fail(await fixture.claimOne(org)));
    return job.id;
  }
  async function expire(): Promise<void> {
    await fixture.pass('2 minutes');
    expect((await fixture.run(claim(org))).jobs).toEqual([]);
    await fixture.maintenance.expireJobs(100);
  }

  it('MQ-27 while it waits for a retry is a dead letter with its own error, and can be retried', async () => {
    await fixture.sql(
      `INSERT INTO outgoing_webhooks (organization_id, name, url, events)
       VALUES ($1, 'all', 'http://localhost:9/hook', '{job.deadlettered}')`,
      [org],
    );
    const id = await waitingForRetry();
    const child = newJob({ parentJobId: id });
    await fixture.run(enqueue(org, [child]));
    fixture.effects.length = 0;
    await expire();
    expect(await fixture.job(id)).toMatchObject({ status: 'deadletter', last_error: 'smtp says no', retry_count: 1 });
    expect((await fixture.job(child.id)).status).toBe('cancelled');
    expect(await fixture.sql('SELECT queue_name FROM dead_letters WHERE job_id = $1', [id])).toEqual([
      { queue_name: 'emails' },
    ]);
    const [last] = await fixture.sql(`SELECT * FROM job_history WHERE job_id = $1 ORDER BY id DESC LIMIT 1`, [id]);
    expect(last).toMatchObject({
      event: 'deadlettered',
      error: 'smtp says no',
      actor: 'system job-expiry',
      details: { cause: 'expired' },
    });
    expect(await fixture.sql('SELECT payload FROM webhook_deliveries WHERE organization_id = $1', [org])).toMatchObject(
      [{ payload: { job_id: id, error: 'smtp says no', retry_count: 1 } }],
    );
    expect(fixture.events(org)).toContainEqual(
      expect.objectContaining({
        type: 'JobStatusChange',
        data: expect.objectContaining({ job_id: id, new_status: 'deadletter' }) as unknown,
      }),
    );
    expect(
      await fixture.sql('SELECT sum(deadlettered)::int AS n FROM job_stats WHERE organization_id = $1', [org]),
    ).toEqual([{ n: 1 }]);
  });

  it('before its first start is cancelled', async () => {
    const job = newJob({ expiresAt: await soon() });
    await fixture.run(enqueue(org, [job]));
    await expire();
    expect(await fixture.job(job.id)).toMatchObject({
      status: 'cancelled',
      last_error: 'Expired while no worker held it',
    });
  });

  it('while a worker holds it goes on', async () => {
    const job = newJob({ expiresAt: await soon() });
    await fixture.run(enqueue(org, [job]));
    const held = await fixture.claimOne(org, { leaseSeconds: 300 });
    await expire();
    await fixture.run(workerCommands(org).complete(held));
    expect((await fixture.job(job.id)).status).toBe('completed');
  });
});
