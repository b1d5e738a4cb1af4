import { eventually, needsRedis, Receiver } from '@spooled/testing';
import { JobSteps, newQueue } from './job-steps.js';
import { aTime, problem, RestCaller } from './rest-caller.js';
import { useRest } from './use-rest.js';

const { stack, tenant, rest, jobs } = useRest();
let receiver: Receiver;

beforeEach(async () => void (receiver = await Receiver.open()));
afterEach(() => receiver.close());

const configure = (queue: string, body: object) => rest.put(`/queues/${queue}/config`, body);
const reached = (id: string, status: string) =>
  eventually(async () => {
    const { body } = await rest.get(`/jobs/${id}`);
    expect(body).toMatchObject({ status });
    return body;
  });

describe('a push queue', () => {
  it('MQ-10 needs no workers: its jobs are posted to its URL and completed or failed by the response', async () => {
    const queue = newQueue();
    receiver.respond = ({ body }, response) => {
      const { fate } = JSON.parse(body) as { fate: number };
      response.writeHead(fate, { 'content-type': 'application/json' }).end('{"seen":true}');
    };
    await configure(queue, { settings: { callback_url: receiver.url('/work') } });
    const [good, bad] = [200, 404].map((fate) => jobs.create({ queue_name: queue, payload: { fate } }));
    expect(await reached(await good!, 'completed')).toMatchObject({ result: { seen: true } });
    const dead = await reached(await bad!, 'deadletter');
    expect(dead).toMatchObject({ retry_count: 0, last_error: 'HTTP 404: {"seen":true}' });
    expect(receiver.calls).toHaveLength(2);
  });

  it('MQ-17 SP-31 retries after a 5xx with the queue’s delay', async () => {
    const queue = newQueue();
    receiver.respond = (_call, response) => response.writeHead(receiver.calls.length < 3 ? 503 : 200).end();
    const backoff = { retry_strategy: 'linear', retry_delay_ms: 20, retry_jitter_ms: 0, retry_jitter_ratio: 0.3 };
    await configure(queue, { settings: { callback_url: receiver.url(), ...backoff } });
    const id = await jobs.create({ queue_name: queue });
    expect(await reached(id, 'completed')).toMatchObject({ retry_count: 2, result: null });
  });

  needsRedis('tells the gateway of the outage').it(
    'BX-04 is explained while its receiver does not respond, until it has another one',
    async () => {
      const queue = newQueue();
      const closed = await Receiver.open();
      const callback_url = closed.url();
      await closed.close();
      const backoff = { retry_strategy: 'fixed', retry_delay_ms: 10, retry_jitter_ms: 0, retry_jitter_ratio: 0 };
      await configure(queue, { settings: { callback_url, ...backoff } });
      const ids = await Promise.all(
        Array.from({ length: 12 }, () => jobs.create({ queue_name: queue, max_retries: 100 })),
      );
      const explain = async () => (await rest.get(`/queues/${queue}/explain`)).body;
      const codes = async () => (await explain()).problems.map(({ code }: { code: string }) => code);
      await eventually(async () => expect(await codes()).toContain('receiver_unavailable'));
      const receiverOf = async () => (await rest.get(`/queues/${queue}`)).body.receiver;
      // Repeated because a Redis that takes 0.1 s to answer is not asked for a second.
      const open = await eventually(async () => {
        const found = await receiverOf();
        expect(found).toEqual({ state: 'open', since: aTime, next_trial_at: aTime });
        return found;
      });
      expect(Date.parse(open.next_trial_at)).toBeGreaterThan(Date.parse(open.since));
      await configure(queue, { settings: { callback_url: receiver.url() } });
      await eventually(async () =>
        expect(await receiverOf()).toEqual({ state: 'closed', since: null, next_trial_at: null }),
      );
      for (const id of ids) await reached(id, 'completed');
      const none = { count: 0, at_least: false };
      await eventually(async () => expect((await explain()).jobs).toMatchObject({ ready: none, running: none }));
      expect(await codes()).not.toContain('receiver_unavailable');
    },
  );

  it('MQ-04 MQ-24 sends a job, and the jobs of a schedule, to their own URL with their own headers and backoff', async () => {
    const queue = newQueue();
    await configure(queue, { settings: { push: true } });
    receiver.respond = ({ path }, response) =>
      response.writeHead(path === '/flaky' && isFirst('/flaky') ? 503 : 200).end();
    const isFirst = (path: string) => receiver.calls.filter((call) => call.path === path).length === 1;
    const callback = {
      callback_headers: { 'X-Token': 'top secret' },
      callback_secret: 'shh',
      callback_timeout_seconds: 60,
      backoff: { strategy: 'fixed', delay_ms: 10, jitter_ms: 0 },
    };
    const shown = {
      callback_url: receiver.url('/flaky'),
      callback_header_names: ['X-Token'],
      callback_timeout_seconds: 60,
      backoff: callback.backoff,
    };
    const created = await rest.post('/jobs', {
      queue_name: queue,
      payload: 1,
      ...callback,
      callback_url: shown.callback_url,
    });
    expect(created.status).toBe(201);
    const done = await reached(created.body.id, 'completed');
    expect(done).toMatchObject({ retry_count: 1, ...shown });
    expect(receiver.calls.map(({ headers }) => headers['x-token'])).toEqual(['top secret', 'top secret']);

    const schedule = { name: 'nightly', cron_expression: '0 0 1 1 *', queue_name: queue, payload_template: 2 };
    const { body } = await rest.post('/schedules', {
      ...schedule,
      ...callback,
      callback_url: receiver.url('/scheduled'),
    });
    const run = await rest.post(`/schedules/${body.id}/trigger`);
    await reached(run.body.job_id, 'completed');
    const call = receiver.calls.find(({ path }) => path === '/scheduled')!;
    expect([call.body, call.headers['x-token']]).toEqual(['2', 'top secret']);

    const own = `/schedules/${body.id}`;
    const moved = { callback_url: receiver.url('/moved') };
    const kept = await rest.put(own, { ...moved, callback_secret: 'new' });
    expect(kept.body).toMatchObject({ ...moved, callback_header_names: [], backoff: callback.backoff });
    await configure(queue, { settings: { callback_url: receiver.url() } });
    expect((await rest.put(own, { callback_url: null })).body).toMatchObject({
      callback_url: null,
      backoff: callback.backoff,
    });
    const texts = [
      done,
      kept.body,
      (await rest.get('/schedules')).body,
      (await rest.get(`/jobs?queue_name=${queue}`)).body,
    ];
    expect(JSON.stringify(texts)).not.toMatch(/top secret|shh/);
  });

  it('SP-57 refuses callbacks of jobs and schedules that may not be called, and queues that only workers serve', async () => {
    const queue = newQueue();
    const url = receiver.url();
    const post = (more: object) => rest.post('/jobs', { queue_name: queue, payload: {}, ...more });
    const wrong = (field: string, text: string) => ({
      status: 400,
      details: { [field]: expect.stringContaining(text) },
    });
    expect(problem(await post({ callback_url: url }))).toMatchObject(wrong('callback_url', 'does not push'));
    await configure(queue, { settings: { push: true } });
    const needed = 'each job needs one';
    expect(problem(await post({}))).toMatchObject(wrong('callback_url', needed));
    const uncalled = { name: 'x', cron_expression: '0 0 1 1 *', queue_name: queue, payload_template: 1 };
    expect(problem(await rest.post('/schedules', uncalled))).toMatchObject(wrong('callback_url', needed));
    expect(problem(await post({ callback_url: 'http://10.0.0.1/' }))).toMatchObject(
      wrong('callback_url', 'HTTP not allowed'),
    );
    expect(problem(await post({ callback_url: 'https://169.254.169.254/' }))).toMatchObject(
      wrong('callback_url', 'Invalid webhook URL'),
    );
    expect(problem(await post({ callback_headers: { 'x-a': 'b' } }))).toMatchObject(
      wrong('callback_headers', 'callback_url'),
    );
    const headers = (callback_headers: object) => post({ callback_url: url, callback_headers });
    expect(problem(await headers({ Host: 'evil' }))).toMatchObject(wrong('callback_headers', 'host'));
    expect(problem(await headers({ Authorization: 'Bearer x' }))).toMatchObject(
      wrong('callback_headers', 'authorization'),
    );
    expect(problem(await headers({ 'x-a': 'b\r\nhost: evil' }))).toMatchObject(wrong('callback_headers', 'x-a'));
    expect(problem(await post({ backoff: { strategy: 'never' } }))).toMatchObject({ status: 400 });
    const bulk = await rest.post('/jobs/bulk', {
      queue_name: queue,
      jobs: [{ payload: 1 }, { payload: 2, callback_secret: 's' }],
    });
    expect(problem(bulk)).toMatchObject(wrong('jobs[1].callback_secret', 'callback_url'));
    const schedule = {
      name: 'x',
      cron_expression: '0 0 1 1 *',
      queue_name: newQueue(),
      payload_template: 1,
      callback_url: url,
    };
    expect(problem(await rest.post('/schedules', schedule))).toMatchObject(wrong('callback_url', 'does not push'));
    // Neither the headers of a queue nor its secret go to another receiver.
    await configure(queue, { settings: { callback_url: url, callback_headers: { 'x-a': 'top secret' } } });
    const changed = await configure(queue, { settings: { callback_url: receiver.url('/other') } });
    expect(JSON.stringify(changed.body)).not.toContain('top secret');
    const id = await jobs.create({ queue_name: queue });
    await reached(id, 'completed');
    expect(receiver.calls.at(-1)!.headers).not.toHaveProperty('x-a');
  });

  it('SP-57 rejects URLs that callbacks may not be sent to, and shows no secret', async () => {
    const queue = newQueue();
    const put = (settings: object) => configure(queue, { settings });
    const details = (text: string) => ({ 'settings.callback_url': expect.stringContaining(text) as unknown });
    expect(problem(await put({ callback_url: 'http://example.com' }))).toMatchObject({
      status: 400,
      details: details('HTTP not allowed'),
    });
    expect(problem(await put({ callback_url: 'https://[fe80::1]/' }))).toMatchObject({
      status: 400,
      details: details('Invalid webhook URL'),
    });
    expect(problem(await put({ concurrency: 0 }))).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    const settings = { callback_url: receiver.url(), concurrency: 2, own: 1 };
    expect((await put({ ...settings, callback_secret: 'shh' })).body).toMatchObject({ settings });
    expect((await rest.get(`/queues/${queue}`)).body.settings).toEqual(settings);
  });
});

describe('a claim gets fewer jobs, not an error,', () => {
  it('MQ-14 SP-80 above the rate limit of its queue, at every gateway after the change', async () => {
    const [queue, unlimited] = [newQueue(), newQueue()];
    for (const queue_name of [queue, unlimited])
      await rest.post('/jobs/bulk', { queue_name, jobs: Array.from({ length: 9 }, () => ({ payload: {} })) });
    // One job, and the next one 100 s later.
    await configure(queue, { rate_limit: 0.01 });
    const other = new JobSteps(new RestCaller(stack.baseUrls[1]!, tenant.key));
    const granted = await Promise.all([jobs.claim(queue, { limit: 5 }), other.claim(queue, { limit: 5 })]);
    expect(granted.flat()).toHaveLength(1);
    expect(await jobs.claim(unlimited, { limit: 9 })).toHaveLength(9);
    await configure(queue, { rate_limit: 1000 });
    // The other gateway is notified shortly afterwards.
    await eventually(async () => expect((await other.claim(queue, { limit: 8 })).length).toBeGreaterThan(1));
  });

  it('MQ-03 above the concurrency limit of its queue', async () => {
    const queue = newQueue();
    await rest.post('/jobs/bulk', { queue_name: queue, jobs: Array.from({ length: 9 }, () => ({ payload: {} })) });
    await configure(queue, { settings: { concurrency: 2 } });
    const [first] = await jobs.claim(queue, { limit: 5 });
    expect(await jobs.claim(queue, { limit: 5 })).toEqual([]);
    await rest.post(`/jobs/${first!.id}/complete`, { worker_id: 'w1' });
    expect(await jobs.claim(queue, { limit: 5 })).toHaveLength(1);
  });
});
