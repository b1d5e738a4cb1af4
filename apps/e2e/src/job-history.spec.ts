import { eventually, Receiver, startTcpProxy } from '@spooled/testing';
import { GrpcCaller } from './grpc-caller.js';
import { JobSteps, newQueue } from './job-steps.js';
import { RestCaller } from './rest-caller.js';
import { useStack } from './use-rest.js';

const stack = useStack();
let rest: RestCaller;
let steps: JobSteps;
let grpc: GrpcCaller;
let key: object;

beforeAll(async () => {
  rest = new RestCaller(stack.baseUrl, stack.apiKey);
  steps = new JobSteps(rest);
  grpc = new GrpcCaller(stack.grpcAddresses[0]!, { 'x-api-key': stack.apiKey });
  const [own] = (await rest.get('/api-keys')).body as { id: string; name: string }[];
  key = { kind: 'key', id: own!.id, name: own!.name };
});
afterAll(async () => {
  grpc?.close();
});

interface Event {
  event_type: string;
  worker_id: string | null;
  details: { actor: object };
}
const historyOf = async (id: string): Promise<Event[]> => (await rest.get(`/jobs/${id}/history`)).body as Event[];
const typesOf = async (id: string) => (await historyOf(id)).map(({ event_type: type }) => type);
const onlyJobOf = async (queue: string): Promise<string> => {
  const { body } = await rest.get(`/jobs?queue_name=${queue}`);
  expect(body).toHaveLength(1);
  return body[0].id as string;
};

const schedule = async (queue: string, cron_expression: string): Promise<string> =>
  (await rest.post('/schedules', { name: 'tick', cron_expression, queue_name: queue, payload_template: {} })).body.id;

async function sendWebhook(queue_name: string): Promise<void> {
  const token = (await rest.get('/organizations/webhook-token')).body.webhook_token as string | null;
  const response = await fetch(`${stack.baseUrl}/api/v1/webhooks/${stack.organizationId}/custom`, {
    method: 'POST',
    headers: token === null ? {} : { 'x-webhook-token': token },
    body: JSON.stringify({ queue_name, payload: {} }),
  });
  expect(response.status).toBe(200);
}

describe('the history of a job says who created it', () => {
  it.each<[string, (queue: string) => Promise<unknown>]>([
    ['POST /jobs', (queue_name) => rest.post('/jobs', { queue_name, payload: {} })],
    ['POST /jobs/bulk', (queue_name) => rest.post('/jobs/bulk', { queue_name, jobs: [{ payload: {} }] })],
    [
      'POST /workflows',
      (queue) => rest.post('/workflows', { name: 'w', jobs: [{ key: 'a', queue_name: queue, payload: {} }] }),
    ],
    ['Enqueue', (queue_name) => grpc.call('Enqueue', { queue_name, payload: { fields: {} } })],
    [
      'POST /schedules/{id}/trigger',
      async (queue) => rest.post(`/schedules/${await schedule(queue, '0 0 1 1 *')}/trigger`),
    ],
  ])('BX-14 created by %s', async (_, create) => {
    const queue = newQueue();
    await create(queue);
    const [created] = await historyOf(await onlyJobOf(queue));
    expect([created!.event_type, created!.details.actor]).toEqual(['created', key]);
  });

  it('BX-14 created by an inbound webhook', async () => {
    const queue = newQueue();
    await sendWebhook(queue);
    const [created] = await historyOf(await onlyJobOf(queue));
    expect(created!.details.actor).toEqual({ kind: 'webhook', id: 'custom', name: null });
  });

  it('BX-14 created by a schedule', async () => {
    const queue = newQueue();
    const id = await schedule(queue, '* * * * * *');
    await eventually(async () => expect((await rest.get(`/jobs?queue_name=${queue}`)).body).not.toEqual([]));
    await rest.delete(`/schedules/${id}`);
    const { body } = await rest.get(`/jobs?queue_name=${queue}`);
    const [created] = await historyOf(body[0].id as string);
    expect(created!.details.actor).toEqual({ kind: 'schedule', id, name: 'tick' });
  });
});

describe('the history of a job says who worked on it', () => {
  const take = { worker_id: 'w1' };

  it.each<[string, (queue: string) => Promise<unknown>]>([
    ['POST /jobs/claim', (queue) => steps.claim(queue)],
    ['Dequeue', (queue_name) => grpc.call('Dequeue', { queue_name, ...take })],
    ['StreamJobs', (queue_name) => grpc.serverStream('StreamJobs', { queue_name, ...take }).next()],
    [
      'ProcessJobs',
      (queue_name) => {
        const stream = grpc.duplex('ProcessJobs');
        stream.stream.write({ dequeue: { queue_name, ...take } });
        return stream.next();
      },
    ],
  ])('BX-14 claimed by %s', async (_, claim) => {
    const queue = newQueue();
    const id = await steps.create({ queue_name: queue });
    await claim(queue);
    await eventually(async () => expect(await typesOf(id)).toEqual(['created', 'claimed']));
    const [, claimed] = await historyOf(id);
    expect(claimed).toMatchObject({ worker_id: 'w1', details: { actor: { kind: 'worker', id: 'w1', name: null } } });
  });

  it('BX-14 claimed and completed by a push queue', async () => {
    const receiver = await Receiver.open();
    const queue = newQueue();
    await rest.put(`/queues/${queue}/config`, { settings: { callback_url: receiver.url('/work') } });
    const id = await steps.create({ queue_name: queue });
    await eventually(async () => expect(await typesOf(id)).toEqual(['created', 'claimed', 'completed']));
    const [, claimed, completed] = await historyOf(id);
    expect(completed!.details.actor).toMatchObject({ kind: 'worker', id: expect.stringMatching(/^push:/) });
    expect(completed!.worker_id).toBe(claimed!.worker_id);
    await receiver.close();
  });

  it('BX-02 BX-14 a job whose worker disconnected was released, and its next claim follows', async () => {
    const queue = newQueue();
    const id = await steps.create({ queue_name: queue });
    const line = await startTcpProxy(`http://${stack.grpcAddresses[0]}`);
    const worker = new GrpcCaller(line.address, { 'x-api-key': stack.apiKey });
    await worker.serverStream('StreamJobs', { queue_name: queue, ...take }).next();
    line.close();
    await eventually(async () => expect(await typesOf(id)).toEqual(['created', 'claimed', 'released']));
    const [, , released] = await historyOf(id);
    expect(released!.details).toMatchObject({ reason: 'worker_gone', actor: { kind: 'system', id: 'lease-release' } });
    await steps.claim(queue);
    expect(await typesOf(id)).toEqual(['created', 'claimed', 'released', 'claimed']);
    const { body } = await rest.get(`/jobs/${id}/timeline`);
    expect(body.attempts).toMatchObject([{ outcome: 'released' }, { outcome: 'running' }]);
    worker.close();
  });
});
