import { randomUUID } from 'node:crypto';
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace';
import { Database } from '@spooled/data-access';
import { currentTraceparent, startTelemetry, withSpan } from '@spooled/platform';
import { JobEngine, Maintenance } from '@spooled/queue';
import { EffectsPublisher } from '@spooled/service';
import { claim, command, enqueue, eventually, newJob, useDatabase, useForAll, useRedis } from '@spooled/testing';
import { Redis } from 'ioredis';
import { startScheduler } from '../scheduler.fixture.js';

const database = useDatabase();
const redis = useRedis();
const scheduler = useForAll(
  () => startScheduler(database, { redisUrl: redis.url, idle: true }),
  ({ stop }) => stop(),
);
// What is published before that is lost.
beforeAll(() => eventually(async () => expect((await scheduler.service.health.report()).status).toBe('healthy')));

describe('what the scheduler tells of its work', () => {
  it('BX-07 an attempt that ended with its lease is in the trace of the request that created the job', async () => {
    const exporter = new InMemorySpanExporter();
    const spanProcessors = [new SimpleSpanProcessor({ exporter })];
    const telemetry = await startTelemetry({ serviceName: 'spec', spanProcessors });
    const traceparent = await withSpan('request', {}, () => Promise.resolve(currentTraceparent()));
    const org = randomUUID();
    const db = scheduler.app.get(Database);
    const engine = new JobEngine(db, { onEffects: () => undefined });
    await engine.execute([{ ...enqueue(org, [newJob()]), traceparent }]);
    await engine.execute([claim(org)]);
    await db.withTenant(org, (tx) => tx.query(`UPDATE job_queue SET lease_expires_at = now() - interval '1 second'`));

    expect(await scheduler.app.get(Maintenance).recoverExpiredLeases(10)).toBe(1);
    const spans = exporter.getFinishedSpans();
    const request = spans.find(({ name }) => name === 'request')!.spanContext();
    const attempt = spans.find(({ name }) => name === 'attempt');
    expect(attempt?.spanContext().traceId).toBe(request.traceId);
    expect(attempt?.status.message).toContain('Lease expired');
    await telemetry.shutdown();
  });

  it('BX-25 counts a retry that expires as a dead letter, and not as another failed attempt', async () => {
    const org = randomUUID();
    const db = scheduler.app.get(Database);
    const engine = new JobEngine(db, { onEffects: () => undefined });
    await engine.execute([enqueue(org, [newJob({ maxRetries: 3 })])]);
    const [claimed] = await engine.execute([claim(org)]);
    const { jobs } = (claimed as { value: { jobs: { id: string }[] } }).value;
    const lease = { jobId: jobs[0]!.id, workerId: 'w1', leaseId: null, queues: null };
    await engine.execute([command('job.fail', org, { ...lease, error: 'HTTP 503', retry: true })]);
    await db.withTenant(org, (tx) => tx.query(`UPDATE job_queue SET expires_at = now() - interval '1 second'`));
    const counted = async () => {
      const text = await scheduler.service.metrics.text();
      return ['failed', 'retried', 'deadlettered'].map((what) =>
        Number(new RegExp(`^spooled_jobs_${what}_total (\\d+)`, 'm').exec(text)?.[1] ?? 0),
      );
    };
    const before = await counted();
    expect(await scheduler.app.get(Maintenance).expireJobs(10)).toBe(1);
    expect((await counted()).map((count, i) => count - before[i]!)).toEqual([0, 0, 1]);
  });

  it('publishes changes of workflows on their channels', async () => {
    const [organizationId, workflowId] = [randomUUID(), randomUUID()];
    const follower = new Redis(redis.url);
    const heard: string[] = [];
    follower.on('pmessage', (_pattern, channel: string, change: string) => void heard.push(`${channel} ${change}`));
    await follower.psubscribe(`*${workflowId}*`);
    scheduler.app
      .get(EffectsPublisher)
      .publish({ workflowChanges: [{ organizationId, workflowId, change: 'cancelled' }] });
    await eventually(() => expect(heard).toEqual([expect.stringMatching(`${workflowId}.* cancelled$`)]));
    follower.disconnect();
  });
});
