import { formatActor } from '@spooled/contracts';
import { claim, enqueue, newJob, unlimited } from '@spooled/testing';
import { useEngine } from '../testing/job-lifecycle.fixture.js';

const fixture = useEngine();

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('a new job', () => {
  it('is stored and granted with everything that its caller has set', async () => {
    const org = await fixture.organization();
    const job = newJob({
      payload: '{"b":1,  "a":[1.0]}',
      jobType: 'welcome',
      priority: 42,
      maxRetries: 7,
      timeoutSeconds: 90,
      scheduledAt: '2026-01-02T03:04:05.678901Z',
      expiresAt: '2100-01-02T03:04:05.000Z',
      idempotencyKey: 'order-1',
      tags: '{"team":"x"}',
      completionWebhook: 'https://example.com/done',
      completionWebhookSecret: 'whsec_1',
    });
    const actor = formatActor('key', 'k-1', 'Import');
    await fixture.run({ ...enqueue(org, [job]), traceparent, actor });
    expect((await fixture.run(claim(org))).jobs).toMatchObject([
      {
        id: job.id,
        queueName: 'emails',
        payload: job.payload,
        priority: 42,
        retryCount: 0,
        maxRetries: 7,
        timeoutSeconds: 90,
        idempotencyKey: 'order-1',
        traceparent,
      },
    ]);
    expect(await fixture.job(job.id)).toMatchObject({
      organization_id: org,
      job_type: 'welcome',
      scheduled_at: new Date('2026-01-02T03:04:05.678Z'),
      expires_at: new Date('2100-01-02T03:04:05.000Z'),
      tags: { team: 'x' },
      completion_webhook: 'https://example.com/done',
      created_by: actor,
    });
    const secret = 'SELECT completion_webhook_secret AS secret FROM jobs WHERE id = $1';
    expect(await fixture.sql(secret, [job.id])).toEqual([{ secret: 'whsec_1' }]);
  });

  it('of several tenants in one transaction is answered in order, with and without keys, parents and caps', async () => {
    const [a, b] = [await fixture.organization(), await fixture.organization()];
    const parent = newJob();
    await fixture.run(enqueue(a, [parent, newJob({ idempotencyKey: 'taken' })]));
    const capped = { ...unlimited, maxActiveJobs: 1 };
    const commands = [
      enqueue(b, [newJob(), newJob({ idempotencyKey: 'taken' })]),
      enqueue(a, [newJob({ parentJobId: parent.id }), newJob()]),
      enqueue(b, [newJob({ parentJobId: parent.id })]),
      enqueue(a, [newJob()], capped),
      enqueue(a, [newJob({ idempotencyKey: 'taken' }), newJob()]),
      enqueue(b, [newJob()]),
    ];
    const outcomes = await fixture.engine.execute(commands);
    const summary = outcomes.map((outcome) =>
      outcome.ok
        ? (outcome.value as { jobs: { created: boolean }[] }).jobs.map(({ created }) => created)
        : outcome.error.code,
    );
    expect(summary).toEqual([[true, true], [true, true], 'BAD_REQUEST', 'QUOTA_EXCEEDED', [false, true], [true]]);
    expect(outcomes[2]).toMatchObject({ error: { message: 'parent_job_id: no such job in this queue' } });
    const rows = await fixture.sql<{ organization_id: string; n: number }>(
      'SELECT organization_id, count(*)::int AS n FROM jobs WHERE organization_id = ANY ($1) GROUP BY 1 ORDER BY 2',
      [[a, b]],
    );
    expect(rows).toEqual([
      { organization_id: b, n: 3 },
      { organization_id: a, n: 5 },
    ]);
  });
});
