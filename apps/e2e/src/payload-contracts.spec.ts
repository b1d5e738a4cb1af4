import { ConflictError, NotFoundError, Spooled, ValidationError } from '@spooled/sdk';
import { createTenant, eventually, type TestTenant } from '@spooled/testing';
import { GrpcCaller, struct } from './grpc-caller.js';
import { JobSteps, newQueue } from './job-steps.js';
import { RestCaller } from './rest-caller.js';
import { useStack } from './use-rest.js';

const stack = useStack();
let tenant: TestTenant;
let rest: RestCaller;
let otherGateway: RestCaller;
let grpc: GrpcCaller;

beforeAll(async () => {
  tenant = await createTenant(stack.databaseUrls.superuserUrl);
  [rest, otherGateway] = [
    new RestCaller(stack.baseUrls[0]!, tenant.key),
    new RestCaller(stack.baseUrls[1]!, tenant.key),
  ];
  grpc = new GrpcCaller(stack.grpcAddresses[0]!, { 'x-api-key': tenant.key });
});
afterAll(async () => {
  grpc?.close();
});

const schema = { type: 'object', required: ['sku'], properties: { sku: { type: 'string' } } };

/** A queue with a contract that the gateways know. */
async function agreedQueue(): Promise<string> {
  const queue = newQueue();
  expect(await rest.put(`/queues/${queue}/payload-contract`, { schema })).toMatchObject({
    status: 200,
    body: { version: 1 },
  });
  return queue;
}

describe('BX-09 payload contracts, in the running services', () => {
  it('are enforced by every gateway within a moment of their change, and no longer after their end', async () => {
    const queue = newQueue();
    const create = (caller: RestCaller) => caller.post('/jobs', { queue_name: queue, payload: {} });
    for (const caller of [rest, otherGateway]) expect((await create(caller)).status).toBe(201);
    await rest.put(`/queues/${queue}/payload-contract`, { schema });
    expect(await create(rest)).toMatchObject({ status: 400, body: { details: { 'payload.sku': 'is required' } } });
    await eventually(async () => expect((await create(otherGateway)).status).toBe(400));
    expect((await otherGateway.delete(`/queues/${queue}/payload-contract`)).status).toBe(204);
    expect((await create(otherGateway)).status).toBe(201);
    await eventually(async () => expect((await create(rest)).status).toBe(201));
  });

  it('are enforced over gRPC with INVALID_ARGUMENT', async () => {
    const queue_name = await agreedQueue();
    expect(await grpc.refusal('Enqueue', { queue_name, payload: struct({ sku: 1 }) })).toEqual({
      code: 'INVALID_ARGUMENT',
      details: expect.stringContaining('payload.sku: must be a string'),
    });
    expect(await grpc.call('Enqueue', { queue_name, payload: struct({ sku: 'A' }) })).toMatchObject({ created: true });
  });

  it('are enforced for inbound webhooks', async () => {
    const queue_name = await agreedQueue();
    const token = ((await rest.get('/organizations/webhook-token')).body as { webhook_token: string }).webhook_token;
    const send = async (payload: object) =>
      (
        await fetch(`${stack.baseUrl}/api/v1/webhooks/${tenant.organizationId}/custom`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-webhook-token': token },
          body: JSON.stringify({ queue_name, payload }),
        })
      ).status;
    expect(await send({ sku: 'A' })).toBe(200);
    await eventually(async () => expect(await send({ sku: 1 })).toBe(400));
  });

  it('fail the runs of a schedule whose payload no longer fits, with the reason', async () => {
    const queue_name = newQueue();
    const schedule = { name: 's', cron_expression: '* * * * * *', queue_name, payload_template: { sku: 1 } };
    const { id } = (await rest.post('/schedules', schedule)).body as { id: string };
    const lastRun = async () => ((await rest.get(`/schedules/${id}/history`)).body as { status: string }[])[0];
    await eventually(async () => expect(await lastRun()).toMatchObject({ status: 'completed' }));
    await rest.put(`/queues/${queue_name}/payload-contract`, { schema });
    await eventually(async () =>
      expect(await lastRun()).toMatchObject({
        status: 'failed',
        job_id: null,
        error_message: expect.stringContaining('payload_template.sku: must be a string'),
      }),
    );
    expect((await rest.put(`/schedules/${id}`, { payload_template: { sku: 'A' } })).status).toBe(200);
    await eventually(async () => expect(await lastRun()).toMatchObject({ status: 'completed' }));
    await rest.delete(`/schedules/${id}`);
  });

  /** Gives the queue its contract, and waits until the scheduler knows it, which a schedule that fails for it shows. */
  async function agreeWithScheduler(queue_name: string): Promise<void> {
    const schedule = { name: 's', cron_expression: '* * * * * *', queue_name, payload_template: { sku: 1 } };
    const { id } = (await rest.post('/schedules', schedule)).body as { id: string };
    await rest.put(`/queues/${queue_name}/payload-contract`, { schema });
    await eventually(async () => {
      const { body } = await rest.get(`/schedules/${id}/history`);
      expect((body as { status: string }[])[0]).toMatchObject({ status: 'failed' });
    });
    await rest.delete(`/schedules/${id}`);
  }

  it('keep a dead letter whose patched payload does not fit, and say so before', async () => {
    const queue_name = newQueue();
    const id = await new JobSteps(rest).createDeadLetter(queue_name);
    await agreeWithScheduler(queue_name);
    const replay = (patch: object, more: object = {}) =>
      rest.post('/jobs/dlq/replays', { queue_name, payload_patch: patch, ...more });
    const problem = expect.stringContaining('payload.sku: must be a string');
    expect((await replay({ sku: 1 }, { dry_run: true })).body.sample).toMatchObject([{ job_id: id, problem }]);
    const { id: operation } = (await replay({ sku: 1 })).body as { id: string };
    await eventually(async () =>
      expect((await rest.get(`/operations/${operation}`)).body).toMatchObject({
        refused: 1,
        refused_jobs: [{ job_id: id, error: problem }],
      }),
    );
    expect((await replay({ sku: 'A' }, { dry_run: true })).body.sample).toMatchObject([{ problem: null }]);
    await replay({ sku: 'A' });
    await eventually(async () =>
      expect((await rest.get(`/jobs/${id}`)).body).toMatchObject({ status: 'pending', payload: { sku: 'A' } }),
    );
  });
});

describe('each resource of the SDK', () => {
  it('BX-09 payload contracts of queues, whose keywords keep their names', async () => {
    const client = new Spooled({ baseUrl: stack.baseUrl, apiKey: tenant.key });
    const { payloadContract } = client.queues;
    const name = newQueue();
    const loose = { type: 'object', properties: { some_id: { minLength: 2 }, otherId: { type: 'integer' } } };
    await client.jobs.create({ queueName: name, payload: { some_id: 'x' } });
    expect(await payloadContract.preview(name, { schema: loose })).toMatchObject({
      dryRun: true,
      sample: { checked: 1, refused: 1, jobs: [{ path: 'payload.some_id' }] },
    });
    await expect(payloadContract.get(name)).rejects.toThrow(NotFoundError);
    expect(await payloadContract.set(name, { schema: loose })).toMatchObject({
      version: 1,
      mode: 'reject',
      schema: loose,
    });
    await expect(client.jobs.create({ queueName: name, payload: { some_id: 'x' } })).rejects.toThrow(ValidationError);
    const tighter = { ...loose, required: ['some_id'] };
    await expect(payloadContract.set(name, { schema: tighter })).rejects.toThrow(ConflictError);
    await payloadContract.set(name, { schema: tighter, compatibility: 'none' });
    expect((await payloadContract.get(name)).schema).toEqual(tighter);
    expect((await payloadContract.get(name, { version: 1 })).schema).toEqual(loose);
    await payloadContract.delete(name);
    await client.jobs.create({ queueName: name, payload: { some_id: 'x' } });
  });
});
