import { randomUUID } from 'node:crypto';
import { createTenant, eventually, type ReceivedCall, Receiver } from '@spooled/testing';
import pg from 'pg';
import { JobSteps, newQueue } from './job-steps.js';
import { anId, aTime, problem, RestCaller } from './rest-caller.js';
import { registerWebhook } from './webhook-steps.js';
import { useStack } from './use-rest.js';

const maxAttempts = 2;
const path = '/outgoing-webhooks';
const reason = expect.any(String) as unknown as string;
const millis = expect.any(Number) as unknown as number;

const stack = useStack();
let superuser: pg.Client;
let rest: RestCaller;
let jobs: JobSteps;
let receiver: Receiver;

beforeAll(async () => {
  superuser = new pg.Client({ connectionString: stack.databaseUrls.superuserUrl });
  await superuser.connect();
});
afterAll(() => superuser?.end());
beforeEach(async () => {
  const { key } = await createTenant(stack.databaseUrls.superuserUrl);
  rest = new RestCaller(stack.baseUrl, key);
  jobs = new JobSteps(rest);
  receiver = await Receiver.open();
});
afterEach(() => receiver.close());

const register = (events: string[], more: object = {}) => registerWebhook(rest, receiver, events, more);
const eventOf = ({ body }: ReceivedCall) => JSON.parse(body) as { id: string; event: string; data: { job_id: string } };
const deliveriesOf = async (id: string, query = '') => (await rest.get(`${path}/${id}/deliveries${query}`)).body;
const settled = (id: string, status: string) =>
  eventually(async () => {
    const [newest] = await deliveriesOf(id);
    expect(newest).toMatchObject({ status });
    return newest;
  });

describe('deliveries', () => {
  it('SP-53 report all events of jobs, queues and workers', async () => {
    const events = ['job.created', 'job.started', 'job.completed', 'job.failed', 'job.cancelled'];
    const others = ['queue.paused', 'queue.resumed', 'worker.registered', 'worker.deregistered'];
    await register([...events, ...others]);
    const queue = newQueue();
    const [done, dead] = [
      await jobs.create({ queue_name: queue }),
      await jobs.create({ queue_name: queue, max_retries: 0 }),
    ];
    const cancelled = await jobs.create({ queue_name: newQueue() });
    await jobs.claim(queue, { limit: 2 });
    await rest.post(`/jobs/${done}/complete`, { worker_id: 'w1', result: { n: 1 } });
    await rest.post(`/jobs/${dead}/fail`, { worker_id: 'w1', error: 'broken' });
    await rest.delete(`/jobs/${cancelled}`);
    await rest.post(`/queues/${queue}/pause`, { reason: 'why' });
    await rest.put(`/queues/${queue}/config`, { enabled: true });
    const worker = await rest.post('/workers/register', { queue_name: queue, hostname: 'host-1' });
    await rest.post(`/workers/${worker.body.id}/deregister`);
    await receiver.received(12);

    const delivered = (event: string, job?: string) => {
      const all = receiver.calls.map(eventOf).filter((one) => one.event === event);
      return (job ? all.filter(({ data }) => data.job_id === job) : all).map(({ data }) => data);
    };
    const ofQueue = { queue_name: queue };
    expect(delivered('job.created', done)).toEqual([{ job_id: done, ...ofQueue, priority: 0, status: 'pending' }]);
    expect(delivered('job.started', done)).toEqual([{ job_id: done, ...ofQueue, worker_id: 'w1' }]);
    expect(delivered('job.completed')).toEqual([{ job_id: done, ...ofQueue, status: 'completed', result: { n: 1 } }]);
    expect(delivered('job.failed')).toEqual([{ job_id: dead, ...ofQueue, status: 'deadletter', error: 'broken' }]);
    expect(delivered('job.cancelled')).toMatchObject([
      { job_id: cancelled, status: 'cancelled', old_status: 'pending' },
    ]);
    expect(delivered('queue.paused')).toEqual([{ ...ofQueue, reason: 'why' }]);
    expect(delivered('queue.resumed')).toEqual([{ ...ofQueue, paused_duration_secs: millis }]);
    expect(delivered('worker.registered')).toEqual([{ worker_id: worker.body.id, ...ofQueue, hostname: 'host-1' }]);
    expect(delivered('worker.deregistered')).toEqual([{ worker_id: worker.body.id, ...ofQueue }]);
  });

  it('SP-53 BX-12 report jobs that are retried and dead-lettered, and workflows that end', async () => {
    await register(['job.deadlettered', 'job.retried', 'workflow.completed', 'workflow.failed']);
    const queue = newQueue();
    const flow = await rest.post('/workflows', {
      name: 'nightly',
      jobs: [{ key: 'only', queue_name: queue, payload: {}, max_retries: 0 }],
    });
    const [job] = await jobs.claim(queue);
    await rest.post(`/jobs/${job!.id}/fail`, { worker_id: 'w1', error: 'broken' });
    await rest.post('/jobs/dlq/retry', { job_ids: [job!.id] });
    await jobs.claim(queue);
    await rest.post(`/jobs/${job!.id}/complete`, { worker_id: 'w1' });
    await receiver.received(4);
    const of = { job_id: job!.id, queue_name: queue };
    const common = { workflow_id: flow.body.workflow_id, name: 'nightly', total_jobs: 1 };
    const delivered = Object.fromEntries(receiver.calls.map(eventOf).map(({ event, data }) => [event, data]));
    expect(delivered).toEqual({
      'job.deadlettered': { ...of, status: 'deadletter', error: 'broken', retry_count: 0 },
      'job.retried': { ...of, status: 'pending', retry_count: 0, reason: 'dlq' },
      'workflow.failed': { ...common, status: 'failed', completed_jobs: 0, failed_jobs: 1 },
      'workflow.completed': { ...common, status: 'completed', completed_jobs: 1, failed_jobs: 0 },
    });
  });

  it('SP-53 BX-12 are chat messages for a webhook of that format, and listed as json envelopes', async () => {
    const id = await register(['job.created'], { format: 'slack', secret: 'shh' });
    const job = await jobs.create({ queue_name: 'mail' });
    await settled(id, 'success');
    await rest.post(`${path}/${id}/test`);
    const [delivery, test] = receiver.calls;
    expect(JSON.parse(delivery!.body)).toEqual({ text: `Job created: ${job} in mail`, mrkdwn: false });
    expect(delivery!.headers).toMatchObject({ 'x-spooled-event': 'job.created', 'x-spooled-signature': reason });
    expect(JSON.parse(test!.body)).toMatchObject({ text: expect.stringContaining('Webhook test') });
    const [listed] = await deliveriesOf(id);
    expect(listed.payload).toMatchObject({ id: listed.id, event: 'job.created', data: { job_id: job } });
  });

  it('are listed newest first, filtered by status and paged', async () => {
    const id = await register(['job.created']);
    const first = await jobs.create();
    await settled(id, 'success');
    receiver.respond = (_call, response) => response.writeHead(503).end('busy');
    const second = await jobs.create();
    const newest = await settled(id, 'failed');
    expect(newest).toEqual({
      id: anId,
      webhook_id: id,
      event: 'job.created',
      payload: {
        id: newest.id,
        event: 'job.created',
        created_at: newest.created_at,
        data: { job_id: second, queue_name: reason, priority: 0, status: 'pending' },
      },
      status: 'failed',
      status_code: 503,
      response_body: 'busy',
      error: 'HTTP 503',
      attempts: maxAttempts,
      created_at: aTime,
      delivered_at: null,
      next_attempt_at: null,
      held: false,
    });
    const details = (await rest.get(`${path}/${id}/deliveries/${newest.id}`)).body;
    const attempt = { status_code: 503, response_body: 'busy', error: 'HTTP 503', error_code: null, ended_at: aTime };
    expect(details).toMatchObject({
      ...newest,
      attempt_history: [
        { attempt: 1, ...attempt },
        { attempt: 2, ...attempt },
      ],
    });
    expect(problem(await rest.get(`${path}/${id}/deliveries/${randomUUID()}`))).toMatchObject({ status: 404 });
    expect(problem(await rest.get(`${path}/${randomUUID()}/deliveries/${newest.id}`))).toMatchObject({ status: 404 });
    const jobsOf = async (query: string) =>
      (await deliveriesOf(id, query)).map(
        ({ payload }: { payload: { data: { job_id: string } } }) => payload.data.job_id,
      );
    expect(await jobsOf('')).toEqual([second, first]);
    expect(await jobsOf('?status=success')).toEqual([first]);
    expect(await jobsOf('?limit=1&offset=1')).toEqual([first]);
    expect(await jobsOf('?status=nonsense&limit=0')).toEqual([second]);
    const webhook = await rest.get(`${path}/${id}`);
    expect(webhook.body).toMatchObject({ failure_count: 1, last_status: 'failed', last_triggered_at: aTime });
  });

  it('are retried manually by both routes, up to ten attempts in total', async () => {
    const id = await register(['job.created']);
    receiver.respond = (_call, response) => response.writeHead(500).end();
    await jobs.create();
    const { id: delivery } = await settled(id, 'failed');
    const again = await rest.post(`${path}/${id}/retry/${delivery}`);
    const queued = { success: true, message: 'Delivery queued for retry', delivery_id: delivery, status: 'pending' };
    expect([again.status, again.body]).toEqual([200, queued]);
    await receiver.received(maxAttempts + 1);
    await settled(id, 'failed');

    const made = 'UPDATE webhook_deliveries SET attempts = $2, manual_retries = $3 WHERE id = $1';
    await superuser.query(made, [delivery, 10, 8]);
    expect(problem(await rest.post(`${path}/${id}/retry/${delivery}`))).toMatchObject({
      status: 400,
      code: 'BAD_REQUEST',
    });
    await superuser.query(made, [delivery, 9, 7]);
    receiver.respond = (_call, response) => response.end();
    expect(await rest.post(`${path}/${id}/deliveries/${delivery}/retry`, {})).toMatchObject({
      status: 200,
      body: queued,
    });
    expect(await settled(id, 'success')).toMatchObject({ attempts: 10, delivered_at: aTime });

    expect(problem(await rest.post(`${path}/${id}/retry/${delivery}`))).toMatchObject({
      status: 400,
      code: 'BAD_REQUEST',
    });
    expect(problem(await rest.post(`${path}/${id}/retry/no-uuid`))).toMatchObject({ status: 400, code: 'BAD_REQUEST' });
    expect(problem(await rest.post(`${path}/${id}/retry/${randomUUID()}`))).toMatchObject({ status: 404 });
    expect(problem(await rest.post(`${path}/${randomUUID()}/retry/${delivery}`))).toMatchObject({ status: 404 });
  });

  it('SP-53 stop when they have failed for days, until the webhook is enabled again', async () => {
    const id = await register(['job.created']);
    receiver.respond = (_call, response) => response.writeHead(500).end();
    await jobs.create();
    await settled(id, 'failed');
    const webhook = async () => (await rest.get(`${path}/${id}`)).body;
    expect(await webhook()).toMatchObject({ enabled: true, failing_since: aTime, disables_at: aTime });
    const long = `UPDATE outgoing_webhooks SET failing_since = now() - interval '6 days' WHERE id = $1`;
    await superuser.query(long, [id]);
    await jobs.create();
    await eventually(async () =>
      expect(await webhook()).toMatchObject({ enabled: false, disables_at: null, last_status: 'auto_disabled' }),
    );
    const [{ id: delivery }] = await deliveriesOf(id);
    expect(problem(await rest.post(`${path}/${id}/retry/${delivery}`))).toMatchObject({ status: 400 });
    await jobs.create();
    expect(await deliveriesOf(id)).toHaveLength(2);

    receiver.respond = (_call, response) => response.end();
    expect(await rest.put(`${path}/${id}`, { enabled: true })).toMatchObject({
      body: { enabled: true, failure_count: 0, failing_since: null },
    });
    await jobs.create();
    await settled(id, 'success');
    expect(await webhook()).toMatchObject({ enabled: true, last_status: 'success' });
  });
});
