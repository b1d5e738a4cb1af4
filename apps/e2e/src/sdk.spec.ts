import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  AuthenticationError,
  ConflictError,
  NotFoundError,
  QuotaExceededError,
  Spooled,
  ValidationError,
  verifyWebhook,
} from '@spooled/sdk';
import { eventually, msUntil, needsRedis, Receiver, sharedSecrets } from '@spooled/testing';
import { newQueue } from './job-steps.js';
import { useStack } from './use-rest.js';

const stack = useStack();
let client: Spooled;

beforeAll(() => void (client = new Spooled({ baseUrl: stack.baseUrl, apiKey: stack.apiKey })));

describe('each resource of the SDK', () => {
  it('jobs: as producer and as worker', async () => {
    const queueName = newQueue();
    const payload = { user_id: 1, mixedCase: { deep_key: true } };
    const { id, created } = await client.jobs.create({ queueName, payload, idempotencyKey: randomUUID() });
    expect(created).toBe(true);
    expect(await client.jobs.get(id)).toMatchObject({ queueName, payload, status: 'pending' });
    const { status, position, reasons } = await client.jobs.explain(id);
    expect([status, position, reasons.map(({ code }) => code)]).toEqual(['pending', 0, ['no_workers']]);
    expect(await client.jobs.setPriority(id, 7)).toEqual({ jobId: id, oldPriority: 0, newPriority: 7 });
    const [job] = await client.jobs.claim({ queueName, workerId: 'w' });
    const proof = { workerId: 'w', leaseId: job!.leaseId };
    await client.jobs.heartbeat(id, proof);
    await client.jobs.progress(id, { progress: 50, ...proof });
    await client.jobs.complete(id, { ...proof, result: { rows_read: 3 } });
    expect(await client.jobs.get(id)).toMatchObject({ status: 'completed', result: { rows_read: 3 } });
    expect(await client.jobs.statuses([id])).toMatchObject([{ id, status: 'completed', queueName }]);
    const [last] = await client.jobs.history(id, { orderDir: 'desc', limit: 1 });
    expect(last).toMatchObject({
      eventType: 'completed',
      workerId: 'w',
      details: { lease_id: job!.leaseId, attempt: 1 },
    });
    const timeline = await client.jobs.timeline(id);
    expect(timeline.attempts).toMatchObject([{ workerId: 'w', outcome: 'completed', leaseId: job!.leaseId }]);
    await expect(client.jobs.cancel(id)).rejects.toThrow(ConflictError);
    await expect(client.jobs.get(randomUUID())).rejects.toThrow(NotFoundError);
  });

  it('jobs: bulk requests, dead letters and dependencies', async () => {
    const queueName = newQueue();
    const jobs = [{ payload: { n: 1 } }, { payload: { n: 2 } }];
    const bulk = await client.jobs.createMany({ queueName, jobs, defaultMaxRetries: 0 });
    expect(bulk).toMatchObject({ successCount: 2, failureCount: 0 });
    for (const { id, leaseId } of await client.jobs.claim({ queueName, workerId: 'w', limit: 2 })) {
      expect(await client.jobs.fail(id, { workerId: 'w', leaseId, error: 'broken' })).toMatchObject({
        willRetry: false,
      });
    }
    expect(await client.jobs.deadLetters.list({ queueName })).toHaveLength(2);
    expect(await client.jobs.deadLetters.retry({ queueName, limit: 1 })).toMatchObject({ retriedCount: 1 });
    expect(await client.jobs.deadLetters.purge({ queueName })).toEqual({ purgedCount: 1 });
    expect(await client.jobs.stats(queueName)).toMatchObject({ pending: 1, deadletter: 0, total: 1 });
    const [first] = await client.jobs.list({ queueName });
    const id = first!.id;
    expect(await client.jobs.dependencies(id)).toMatchObject({ jobId: id, dependenciesMet: true });
  });

  it('queues and workers', async () => {
    const name = newQueue();
    const settings = { note_of_mine: { keepsCase: 1 } };
    expect(await client.queues.configure(name, { maxRetries: 9, settings })).toMatchObject({ maxRetries: 9, settings });
    expect(await client.queues.pause(name, 'lunch')).toMatchObject({ queueName: name, paused: true, reason: 'lunch' });
    await client.queues.pause(name, { reason: 'lunch', durationSeconds: 3_600 });
    expect((await client.queues.get(name)).pause).toMatchObject({
      reason: 'lunch',
      expiresAt: expect.any(String),
      pausedBy: { kind: 'key' },
    });
    expect(await client.queues.resume(name)).toMatchObject({ resumed: true });
    expect(await client.queues.stats(name)).toMatchObject({ queueName: name, pendingJobs: 0, activeWorkers: 0 });
    expect(await client.queues.explain(name)).toMatchObject({
      status: 'ok',
      problems: [],
      rates: { secondsToDrain: 0 },
    });
    expect((await client.queues.list()).map(({ queueName }) => queueName)).toContain(name);
    const { id } = await client.workers.register({ queueName: name, hostname: 'here', workerId: `w-${name}` });
    await client.workers.heartbeat(id, { currentJobs: 2 });
    expect(await client.workers.get(id)).toMatchObject({ id, queueName: name, currentJobs: 2 });
    await client.workers.deregister(id);
    await client.queues.delete(name, { deleteJobs: true });
    await expect(client.queues.get(name)).rejects.toThrow(NotFoundError);
  });

  it('jobs with their own callback, whose headers keep their names', async () => {
    const receiver = await Receiver.open();
    try {
      const queueName = newQueue();
      await client.queues.configure(queueName, { settings: { push: true } });
      const { id } = await client.jobs.create({
        queueName,
        payload: { n: 1 },
        callbackUrl: receiver.url('/own'),
        callbackHeaders: { 'X-myTenant': 'a' },
        backoff: { strategy: 'fixed', delayMs: 10 },
      });
      const done = await eventually(async () => {
        const job = await client.jobs.get(id);
        expect(job).toMatchObject({ status: 'completed' });
        return job;
      });
      expect(done).toMatchObject({
        callbackUrl: receiver.url('/own'),
        callbackHeaderNames: ['X-myTenant'],
        backoff: { strategy: 'fixed', delayMs: 10 },
      });
      expect(receiver.calls[0]!.headers).toMatchObject({ 'x-mytenant': 'a' });
      expect((await client.queues.get(queueName)).receiver).toBeNull();
    } finally {
      await receiver.close();
    }
  });

  it('schedules', async () => {
    const queueName = newQueue();
    const payloadTemplate = { report_of: 'today' };
    const plan = { name: 'nightly', cronExpression: '0 3 * * *', queueName, payloadTemplate };
    const { id, nextRunAt } = await client.schedules.create(plan);
    expect(msUntil(nextRunAt!)).toBeGreaterThan(0);
    expect(await client.schedules.pause(id)).toMatchObject({ isActive: false, payloadTemplate });
    expect(await client.schedules.resume(id)).toMatchObject({ isActive: true });
    expect(await client.schedules.update(id, { timezone: 'Europe/Berlin' })).toMatchObject({
      timezone: 'Europe/Berlin',
    });
    const { jobId } = await client.schedules.trigger(id);
    expect(await client.jobs.get(jobId)).toMatchObject({ queueName, payload: payloadTemplate });
    expect(await client.schedules.history(id)).toMatchObject([{ scheduleId: id, jobId }]);
    expect((await client.schedules.list()).map((schedule) => schedule.id)).toContain(id);
    await client.schedules.delete(id);
    await expect(client.schedules.create({ ...plan, cronExpression: 'not a cron expression' })).rejects.toThrow(
      ValidationError,
    );
  });

  it('organizations, API keys and tokens', async () => {
    const [own] = await client.organizations.list();
    const id = own!.id;
    expect(await client.organizations.get(id)).toMatchObject({ id, planTier: 'enterprise' });
    expect(await client.organizations.usage()).toMatchObject({ usage: { jobsToday: { isDisabled: false } } });
    expect(await client.organizations.checkSlug('Not a slug')).toMatchObject({ valid: false });
    const created = await client.apiKeys.create({ name: 'for a while', queues: ['only-this'] });
    const limited = new Spooled({ baseUrl: stack.baseUrl, apiKey: created.key });
    const { accessToken, refreshToken } = await limited.auth.login();
    const session = new Spooled({ baseUrl: stack.baseUrl, accessToken, refreshToken });
    expect(await session.auth.me()).toMatchObject({ organizationId: id, apiKeyId: created.id, queues: ['only-this'] });
    expect(await client.auth.validate(accessToken)).toMatchObject({ valid: true });
    await session.auth.logout(refreshToken);
    expect(await client.auth.validate(accessToken)).toMatchObject({ valid: false });
    await client.apiKeys.revoke(created.id);
    await expect(limited.queues.list()).rejects.toThrow(AuthenticationError);
  });

  it('incoming webhooks, signed as by GitHub and Stripe', async () => {
    const organizationId = stack.organizationId;
    const { webhookToken: token } = await client.organizations.webhookToken();
    const queueName = newQueue();
    const webhook = { queueName, payload: { snake_case: 1 }, idempotencyKey: randomUUID() };
    const { jobId, created } = await client.ingestion.custom({ organizationId, token, webhook });
    expect([created, (await client.jobs.get(jobId)).payload]).toEqual([true, { snake_case: 1 }]);
    const deliveryId = randomUUID();
    const push = {
      organizationId,
      token,
      event: 'push',
      body: '{"ref":"main"}',
      secret: sharedSecrets.github,
      deliveryId,
    };
    await client.ingestion.github(push);
    expect(await client.jobs.stats('github-push')).toMatchObject({ total: 1 });
    await expect(client.ingestion.github({ ...push, secret: 'wrong' })).rejects.toThrow(AuthenticationError);
    const body = JSON.stringify({ id: randomUUID(), type: 'charge.paid', data: { object: { amount: 1 } } });
    await client.ingestion.stripe({ organizationId, token, body, secret: sharedSecrets.stripe });
    expect(await client.jobs.stats('stripe-charge-paid')).toMatchObject({ total: 1 });
    const logged = await client.ingestion.deliveries({ status: 'created', limit: 1 });
    expect(logged).toMatchObject([
      { provider: 'stripe', eventType: 'charge.paid', matchedQueue: 'stripe-charge-paid' },
    ]);
  });

  it('outgoing webhooks, verified by the receiver', async () => {
    const receiver = await Receiver.open();
    try {
      const webhook = { name: 'mine', url: receiver.url(), events: ['job.deadlettered' as const], secret: 'ours' };
      const { id } = await client.outgoingWebhooks.create(webhook);
      const tested = await client.outgoingWebhooks.test(id);
      expect(tested).toMatchObject({ success: true, statusCode: 200 });
      const { body, headers } = receiver.calls[0]!;
      const signature = String(headers['x-spooled-signature']);
      const timestamp = String(headers['x-spooled-timestamp']);
      expect(verifyWebhook({ body, signature, timestamp, secret: 'ours' })).toBe(true);
      const changed = await client.outgoingWebhooks.update(id, { enabled: false, format: 'slack' });
      expect(changed).toMatchObject({ enabled: false, format: 'slack' });
      expect(await client.outgoingWebhooks.deliveries(id)).toEqual([]);
      await client.outgoingWebhooks.delete(id);
    } finally {
      await receiver.close();
    }
  });

  it('workflows', async () => {
    const queueName = newQueue();
    const payload = { step_of: 'mine' };
    const jobs = [
      { key: 'first', queueName, payload },
      { key: 'then', queueName, payload, dependsOn: ['first'] },
    ];
    const { workflowId, jobIds } = await client.workflows.create({ name: 'two steps', jobs });
    expect(jobIds.map(({ key }) => key)).toEqual(['first', 'then']);
    expect(await client.workflows.get(workflowId)).toMatchObject({ totalJobs: 2, status: 'pending' });
    expect(await client.workflows.jobs(workflowId)).toMatchObject([
      { key: 'first', payload },
      { dependsOn: ['first'] },
    ]);
    expect(await client.workflows.jobStatuses(workflowId)).toHaveLength(2);
    expect(await client.workflows.job(workflowId, jobIds[1]!.jobId)).toMatchObject({ key: 'then' });
    expect((await client.workflows.list()).map(({ id }) => id)).toContain(workflowId);
    expect(await client.workflows.cancel(workflowId)).toMatchObject({ status: 'cancelled' });
    await expect(client.workflows.retry(workflowId)).rejects.toThrow(ValidationError);
  });

  it('batches', async () => {
    const [queueName, report] = [newQueue(), newQueue()];
    const { id } = await client.batches.create({ name: 'mine', onSuccess: { queueName: report, payload: { a_b: 1 } } });
    expect(await client.batches.add(id, { queueName, jobs: [{ payload: 1 }, { payload: 2 }] })).toMatchObject({
      successCount: 2,
    });
    expect(await client.batches.get(id)).toMatchObject({ status: 'open', totalJobs: 2, pendingJobs: 2 });
    expect(await client.batches.jobs(id, { status: 'unfinished' })).toHaveLength(2);
    expect((await client.batches.list({ status: 'open' })).map((batch) => batch.id)).toContain(id);
    expect(await client.batches.close(id)).toMatchObject({ status: 'closed' });
    await expect(client.batches.add(id, { queueName, jobs: [{ payload: 3 }] })).rejects.toThrow(ConflictError);
    expect(await client.batches.cancel(id)).toMatchObject({ status: 'cancelled' });
    const empty = await client.batches.create({ onSuccess: { queueName: report, payload: { a_b: 1 } } });
    const { callbackJobIds } = await client.batches.close(empty.id);
    expect(await client.jobs.get(callbackJobIds.onSuccess!)).toMatchObject({ batchId: empty.id, payload: { a_b: 1 } });
  });

  it('administration', async () => {
    const admin = new Spooled({ baseUrl: stack.baseUrl, adminKey: stack.adminKey }).admin;
    const slug = `by-admin-${randomUUID().slice(0, 8)}`;
    const { organization, apiKey } = await admin.createOrganization({ name: 'By admin', slug });
    expect(await new Spooled({ baseUrl: stack.baseUrl, apiKey: apiKey.key }).queues.list()).toEqual([]);
    const limits = { max_active_jobs: 1 };
    expect(await admin.updateOrganization(organization.id, { planTier: 'pro', customLimits: limits })).toMatchObject({
      planTier: 'pro',
      customLimits: limits,
    });
    const { key } = await admin.createApiKey(organization.id, { name: 'second' });
    const client = new Spooled({ baseUrl: stack.baseUrl, apiKey: key });
    await client.jobs.create({ queueName: 'q', payload: {} });
    await expect(client.jobs.create({ queueName: 'q', payload: {} })).rejects.toThrow(QuotaExceededError);
    await admin.resetUsage(organization.id);
    expect(await admin.organization(organization.id)).toMatchObject({ id: organization.id, apiKeysCount: 2 });
    expect((await admin.organizations({ search: slug })).organizations).toMatchObject([{ slug }]);
    expect(await admin.stats()).toHaveProperty('organizations.total');
    expect(await admin.plans()).toHaveLength(4);
    await admin.deleteOrganization(organization.id);
    await expect(client.queues.list()).rejects.toThrow(AuthenticationError);
  });

  it('health', async () => {
    // Repeated because a check that takes 2 s fails.
    await eventually(async () =>
      expect(await client.health.check()).toMatchObject({ status: 'healthy', database: true }),
    );
    expect(await client.health.dashboard()).toHaveProperty('jobs.completed24h');
  });
});

needsRedis('events reach streams through Redis').describe('SDK subscriptions', () => {
  it.each(['websocket', 'sse'] as const)('receive the requested events over %s', async (transport) => {
    const queue = newQueue();
    const subscription = client.realtime.subscribe({ transport, queue, events: ['job.created'] });
    await once(subscription, 'connected');
    const seen = once(subscription, 'event');
    await client.jobs.create({ queueName: newQueue(), payload: {} });
    const { id } = await client.jobs.create({ queueName: queue, payload: {}, priority: 3 });
    const [event] = await seen;
    expect(event).toMatchObject({ name: 'job.created', data: { jobId: id, queueName: queue, priority: 3 } });
    subscription.close();
    await once(subscription, 'end');
  });

  it('fail with an invalid key', async () => {
    const unauthenticated = new Spooled({ baseUrl: stack.baseUrl, apiKey: 'sk_live_unknown-key' });
    const [error] = await once(unauthenticated.realtime.subscribe(), 'error').catch((reason: unknown) => [reason]);
    expect(error).toBeInstanceOf(AuthenticationError);
  });
});
