import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createTenant, eventually, needsRedis, type TestTenant } from '@spooled/testing';
import WebSocket from 'ws';
import { GrpcCaller } from './grpc-caller.js';
import { newQueue } from './job-steps.js';
import { Sessions } from './sessions.js';
import { useRest } from './use-rest.js';

const { stack, tenant, rest } = useRest();
const closings: (() => void)[] = [];

afterEach(() => {
  for (const close of closings.splice(0)) close();
});

needsRedis('events reach streams through Redis').it(
  'SP-11 a webhook sender, workers of both protocols and a WebSocket client share the jobs of an organization',
  async () => {
    const queue_name = newQueue();
    const grpc = new GrpcCaller(stack.grpcAddresses[0]!, { 'x-api-key': tenant.key });
    const socket = new WebSocket(`${stack.baseUrl.replace('http', 'ws')}/api/v1/ws`, {
      headers: { authorization: `Bearer ${tenant.key}` },
    });
    closings.push(
      () => grpc.close(),
      () => socket.terminate(),
    );
    const completed: unknown[] = [];
    socket.on('message', (data) => {
      const event = JSON.parse(String(data)) as { type: string; data: { job_id?: string } };
      if (event.type === 'JobCompleted') completed.push(event.data.job_id);
    });
    await new Promise((message) => socket.once('message', message));
    const token = (await rest.get('/organizations/webhook-token')).body.webhook_token as string;
    const sent = await fetch(`${stack.baseUrl}/api/v1/webhooks/${tenant.organizationId}/custom`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-webhook-token': token },
      body: JSON.stringify({ queue_name, payload: {} }),
    });
    const { job_id } = (await sent.json()) as { job_id: string };
    const { id } = (await rest.post('/jobs', { queue_name, payload: {} })).body as { id: string };

    const overGrpc = await grpc.call('Dequeue', { queue_name, worker_id: 'grpc-worker', batch_size: 1 });
    expect(overGrpc.jobs).toMatchObject([{ id: job_id }]);
    const overRest = await rest.post('/jobs/claim', { queue_name, worker_id: 'rest-worker' });
    expect(overRest.body.jobs).toMatchObject([{ id }]);
    await grpc.call('Complete', { job_id, worker_id: 'grpc-worker' });
    await rest.post(`/jobs/${id}/complete`, { worker_id: 'rest-worker' });
    await eventually(() => expect(completed).toEqual([job_id, id]));
  },
);

needsRedis('events reach streams through Redis').describe('live events through the gateway', () => {
  const endOfStream = '[end of stream]';
  const authorization = (): Record<string, string> => ({ authorization: `Bearer ${tenant.key}` });

  /** Collects the text that a stream sends. */
  async function listen(path: string, headers = authorization()): Promise<() => string> {
    const abort = new AbortController();
    closings.push(() => abort.abort());
    const response = await fetch(stack.baseUrl + path, {
      headers,
      signal: abort.signal,
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    let text = '';
    const read = async () => {
      for await (const chunk of response.body!) text += Buffer.from(chunk).toString();
    };
    // Without a mark if the test ends it.
    read().then(
      () => (text += endOfStream),
      () => undefined,
    );
    return () => text;
  }

  it('BX-24 a session of the console receives events until it ends', async () => {
    const session = `${stack.baseUrl}/api/v1/console/session`;
    const signedIn = await fetch(session, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: tenant.key }),
    });
    const headers = { cookie: signedIn.headers.getSetCookie()[0]!.split(';')[0]!, 'x-spooled-console': '1' };
    const all = await listen('/api/v1/events', headers);
    const { id } = (await rest.post('/jobs', { queue_name: newQueue(), payload: {} })).body as { id: string };
    await eventually(() => expect(all()).toContain(id));
    expect((await fetch(session, { method: 'DELETE', headers })).status).toBe(204);
    await eventually(() => expect(all()).toContain(endOfStream));
    const { cookie } = headers;
    for (const refused of [headers, { cookie }]) {
      expect((await fetch(`${stack.baseUrl}/api/v1/events`, { headers: refused })).status).toBe(401);
    }
  });

  it('SP-10 SP-12 a WebSocket sends events of jobs and workers', async () => {
    const events: { type: string; data: Record<string, unknown> }[] = [];
    const socket = new WebSocket(`${stack.baseUrl.replace('http', 'ws')}/api/v1/ws`, {
      headers: { authorization: `Bearer ${tenant.key}` },
    });
    closings.push(() => socket.terminate());
    socket.on('message', (data) => events.push(JSON.parse(String(data))));
    const receives = (type: string, data: object) =>
      eventually(() => expect(events).toContainEqual({ type, data: expect.objectContaining(data) }));
    await receives('Ping', {});

    const queue_name = newQueue();
    const worker = (await rest.post('/workers/register', { queue_name, hostname: 'h' })).body.id as string;
    await receives('WorkerRegistered', { worker_id: worker, queue_name });
    await rest.post(`/workers/${worker}/heartbeat`, { current_jobs: 0 });
    await receives('WorkerHeartbeat', { worker_id: worker });

    const create = async () =>
      (await rest.post('/jobs', { queue_name, payload: {}, max_retries: 0 })).body.id as string;
    const take = () => rest.post('/jobs/claim', { queue_name, worker_id: worker });
    const good = await create();
    await receives('JobCreated', { job_id: good, queue_name });
    await take();
    await receives('JobStatusChange', { job_id: good, new_status: 'processing', status: 'processing' });
    await rest.post(`/jobs/${good}/progress`, { worker_id: worker, progress: 40, message: 'copying' });
    await receives('JobProgress', { job_id: good, queue_name, worker_id: worker, progress: 40, message: 'copying' });
    await rest.post(`/jobs/${good}/cancellation`, { reason: 'wrong customer' });
    await receives('JobCancelRequested', { job_id: good, queue_name, worker_id: worker, reason: 'wrong customer' });
    await rest.post(`/jobs/${good}/complete`, { worker_id: worker, result: { done: true } });
    await receives('JobCompleted', { job_id: good, result: { done: true } });
    const bad = await create();
    await take();
    await rest.post(`/jobs/${bad}/fail`, { worker_id: worker, error: 'broken' });
    await receives('JobFailed', { job_id: bad, error: 'broken' });

    await rest.post(`/workers/${worker}/deregister`);
    await receives('WorkerDeregistered', { worker_id: worker });

    await rest.post(`/queues/${queue_name}/pause`, { reason: 'stock-taking' });
    await receives('QueuePaused', { queue_name, reason: 'stock-taking' });
    await rest.post(`/queues/${queue_name}/resume`);
    await receives('QueueResumed', { queue_name });
    const schedule = { name: 's', cron_expression: '0 0 1 1 *', queue_name: newQueue(), payload_template: {} };
    const schedule_id = (await rest.post('/schedules', schedule)).body.id as string;
    const { job_id } = (await rest.post(`/schedules/${schedule_id}/trigger`)).body;
    await receives('ScheduleTriggered', { schedule_id, job_id, queue_name: schedule.queue_name, source: 'manual' });
    for (const [end, type, status] of [
      ['complete', 'WorkflowCompleted', 'completed'],
      ['fail', 'WorkflowFailed', 'failed'],
    ] as const) {
      const jobs = [{ key: 'a', queue_name, payload: {}, max_retries: 0 }];
      const { workflow_id } = (await rest.post('/workflows', { name: 'flow', jobs })).body;
      const { id } = (await take()).body.jobs[0];
      await rest.post(`/jobs/${id}/${end}`, { worker_id: worker, error: 'broken' });
      await receives('WorkflowStarted', { workflow_id, name: 'flow', status: 'running' });
      await receives(type, { workflow_id, status, total_jobs: 1 });
    }
  });

  it('SP-12 an event stream sends the health of the system regularly', async () => {
    const all = await listen('/api/v1/events');
    const health = /event: system\.health[^]*?"type":"SystemHealth","data":\{"database":true,"redis":true/;
    await eventually(() => expect(all()).toMatch(health));
  });

  it('SP-12 the stream of a job ends with the job, and that of an unknown job with an error', async () => {
    const queue_name = newQueue();
    const { id } = (await rest.post('/jobs', { queue_name, payload: {} })).body;
    const job = await listen(`/api/v1/events/jobs/${id}`);
    await eventually(() => expect(job()).toContain('"old_status":""'));
    await rest.delete(`/jobs/${id}`);
    await eventually(() => expect(job()).toContain('"new_status":"cancelled"'));
    const unknown = await listen(`/api/v1/events/jobs/${randomUUID()}`);
    await eventually(() => expect(unknown()).toMatch(/"type":"Error",.*Job not found/));
  });

  it('SP-12 the stream of a queue sends its statistics', async () => {
    const queue_name = newQueue();
    await rest.post('/jobs', { queue_name, payload: {} });
    const queue = await listen(`/api/v1/events/queues/${queue_name}`);
    await eventually(() => expect(queue()).toMatch(/"type":"QueueStats",.*"pending":1/));
  });
});

needsRedis('events reach streams through Redis').describe('streams', () => {
  let sessions: Sessions;
  let user: TestTenant;

  beforeEach(async () => {
    user = await createTenant(stack.databaseUrls.superuserUrl);
    sessions = new Sessions(stack, user);
  });

  const url = () => `${stack.baseUrl.replace('http', 'ws')}/api/v1/ws`;

  /** Opens a WebSocket; rejects with the status of a failed upgrade. */
  async function open(query: string, headers: Record<string, string> = {}): Promise<WebSocket> {
    const socket = new WebSocket(`${url()}${query}`, { headers });
    socket.on('error', () => undefined);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('unexpected-response', (_request, { statusCode }) => reject(new Error(String(statusCode))));
    });
    return socket;
  }
  it('SP-12 accept an access token in the query or in a header, and no refresh token', async () => {
    const { access_token, refresh_token } = await sessions.login();
    const bearer = { authorization: `Bearer ${access_token}` };
    for (const socket of [await open(`?token=${access_token}`), await open('', bearer)]) socket.terminate();
    await expect(open(`?token=${refresh_token}`)).rejects.toThrow('401');
    await expect(open(`?token=${access_token}x`)).rejects.toThrow('401');
    const events = await fetch(`${stack.baseUrl}/api/v1/events`, { headers: bearer });
    expect([events.status, events.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    await events.body!.cancel();
  });

  it('SP-75 end after the logout of their session, not those of other sessions', async () => {
    const [mine, other] = [await sessions.login(), await sessions.login()];
    const [socket, kept] = [await open(`?token=${mine.access_token}`), await open(`?token=${other.access_token}`)];
    const events = await fetch(`${stack.baseUrl}/api/v1/events?token=${mine.access_token}`);
    const ends = Promise.all([once(socket, 'close'), events.text()]);
    await sessions.as(mine.access_token, 1).post('/auth/logout');
    await ends;
    expect(kept.readyState).toBe(WebSocket.OPEN);
    kept.terminate();
    await expect(open(`?token=${mine.access_token}`)).rejects.toThrow('401');
  });

  it('SP-72 end after their key was revoked', async () => {
    const key = await user.keyFor();
    const id = await sessions.idOfKey(key);
    const socket = await open(`?token=${(await sessions.login(key)).access_token}`);
    const end = once(socket, 'close');
    await sessions.as(user.key, 1).delete(`/api-keys/${id}`);
    await end;
  });
});
