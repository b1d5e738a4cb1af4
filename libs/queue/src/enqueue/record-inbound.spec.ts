import type { JobQuota, NewJob } from '@spooled/contracts';
import { enqueue, newJob, unlimited } from '@spooled/testing';
import { useEngine } from '../testing/job-lifecycle.fixture.js';

describe('the log of inbound webhooks', () => {
  const fixture = useEngine();

  function accept(org: string, job: NewJob, quota: JobQuota = unlimited) {
    const command = enqueue(org, [job], quota);
    return { ...command, body: { ...command.body, inbound: { provider: 'custom', eventType: 'order.paid' } } };
  }
  const logOf = (org: string) =>
    fixture.sql<{ job_id: string; status: string }>(
      `SELECT provider, event_type, matched_queue, job_id, status FROM inbound_deliveries WHERE organization_id = $1
       ORDER BY created_at, id`,
      [org],
    );
  const common = { provider: 'custom', event_type: 'order.paid', matched_queue: 'emails' };

  it('SP-52 has one row for each accepted webhook, also when its command runs twice', async () => {
    const org = await fixture.organization();
    const first = accept(org, newJob({ idempotencyKey: 'one' }));
    await fixture.run(first);
    await fixture.run({ ...first, redelivered: true });
    await fixture.run(accept(org, newJob({ idempotencyKey: 'one' })));
    await fixture.run(enqueue(org, [newJob()]));
    const [{ id } = { id: '' }] = first.body.jobs;
    expect(await logOf(org)).toEqual([
      { ...common, job_id: id, status: 'created' },
      { ...common, job_id: id, status: 'duplicate' },
    ]);
  });

  it('SP-61 keeps organizations of one batch apart, and has no row for a webhook over the quota', async () => {
    const [one, two] = [await fixture.organization(), await fixture.organization()];
    const full: JobQuota = { ...unlimited, maxActiveJobs: 0 };
    const [a, b] = [newJob(), newJob()];
    const outcomes = await fixture.engine.execute([accept(one, a), accept(two, b), accept(two, newJob(), full)]);
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, false]);
    expect(await logOf(one)).toEqual([{ ...common, job_id: a.id, status: 'created' }]);
    expect(await logOf(two)).toEqual([{ ...common, job_id: b.id, status: 'created' }]);
  });
});
