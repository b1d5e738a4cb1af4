import { Client, credentials, Metadata, type ServiceDefinition } from '@grpc/grpc-js';
import { EnqueueManyRequest, EnqueueRequest, NewBatchJob } from '@spooled/contracts/grpc';
import { unavailable } from '@spooled/domain';
import { CheckPool } from '@spooled/service';
import { createTenant, type TestTenant, useForAll } from '@spooled/testing';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { useGateway } from '../gateway.fixture.js';
import { batchService, queueService } from '../grpc/service-definitions.js';
import { GrpcServer } from '../grpc-server/grpc-server.js';

const { database, gateway } = useGateway({ GRPC_PORT: '0', HOST: '127.0.0.1' });
const served = useForAll(
  async () => {
    await gateway.app.listen(0, '127.0.0.1');
    const server = gateway.app.get(GrpcServer);
    await server.listen();
    const { port } = gateway.app.getHttpServer().address() as AddressInfo;
    return {
      url: `http://127.0.0.1:${port}/api/v1`,
      client: new Client(`localhost:${server.port}`, credentials.createInsecure()),
    };
  },
  async ({ client }) => {
    client.close();
    await gateway.app.get(GrpcServer).close();
  },
);

const both = (reference: string) => ({ anyOf: [{ $ref: reference }, { $ref: reference }] });
/** Takes 2^60 steps to check. */
const doubling = {
  $ref: '#/$defs/d0',
  $defs: {
    ...Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`d${i}`, both(`#/$defs/d${i + 1}`)])),
    d60: false,
  },
};
const members = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`m${i}`, { type: 'string' }]));
const queue_name = 'orders';
const contract = `/queues/${queue_name}/payload-contract`;

interface World {
  key: string;
  schedule: string;
}
type Way = (world: World, signal?: AbortSignal) => Promise<{ cost: number; remaining: number }>;

const rest =
  (method: string, path: (world: World) => string, body: object): Way =>
  async (world, signal) => {
    const headers = { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' };
    const response = await fetch(`${served.url}${path(world)}`, {
      method,
      headers,
      body: JSON.stringify(body),
      signal,
    });
    await response.text();
    const header = (name: string) => Number(response.headers.get(`x-ratelimit-${name}`));
    return { cost: header('cost'), remaining: header('remaining') };
  };
const rpc =
  (service: ServiceDefinition, name: string, request: object): Way =>
  async ({ key }, signal) => {
    const metadata = new Metadata();
    metadata.set('x-api-key', key);
    const { path, requestSerialize, responseDeserialize } = service[name]!;
    const call = served.client.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      request,
      metadata,
      () => undefined,
    );
    signal?.addEventListener('abort', () => call.cancel());
    const [{ metadata: trailer }] = (await once(call, 'status')) as [{ metadata: Metadata }];
    const value = (of: string) => Number(trailer.get(`x-ratelimit-${of}`)[0] ?? 0);
    return { cost: value('cost'), remaining: value('remaining') };
  };

const empty = new Uint8Array();
const job = { queue_name, payload: {} };
const schedule = { name: 's', cron_expression: '0 0 1 1 *', queue_name, payload_template: {} };
const ways: Record<string, Way> = {
  'a job': rest('POST', () => '/jobs', job),
  'a bulk': rest('POST', () => '/jobs/bulk', { queue_name, jobs: [{ payload: 1 }, { payload: 2 }] }),
  'a workflow': rest('POST', () => '/workflows', { name: 'w', jobs: [{ key: 'a', ...job }] }),
  'a new schedule': rest('POST', () => '/schedules', { ...schedule, name: 'another' }),
  'a changed schedule': rest('PUT', (world) => `/schedules/${world.schedule}`, { payload_template: { a: 1 } }),
  'a triggered schedule': rest('POST', (world) => `/schedules/${world.schedule}/trigger`, {}),
  'the preview of a replay': rest('POST', () => '/jobs/dlq/replays', {
    dry_run: true,
    queue_name,
    payload_patch: { a: 1 },
  }),
  'a dry run of a contract': rest('PUT', () => contract, { schema: doubling, dry_run: true, compatibility: 'none' }),
  'a large contract': rest('PUT', () => contract, { schema: { properties: members(800) }, compatibility: 'none' }),
  Enqueue: rpc(queueService, 'enqueue', { ...EnqueueRequest.decode(empty), queue_name, payload: {} }),
  EnqueueMany: rpc(batchService, 'enqueueMany', {
    ...EnqueueManyRequest.decode(empty),
    queue_name,
    jobs: [{ ...NewBatchJob.decode(empty), payload: Buffer.from('1') }],
  }),
};

/** An organization whose bucket is never refilled, with a dead letter, a schedule, and a contract that nothing satisfies in time. */
async function prepare(burst: number): Promise<World> {
  const tenant: TestTenant = await createTenant(database.superuserUrl, {
    customLimits: { rate_limit_requests_per_second: 0, rate_limit_burst: burst },
  });
  const { key } = tenant;
  const send = async (method: 'POST' | 'PUT', path: string, body: object) => {
    const { status, body: answer } = await gateway.request(method, path, key, body);
    expect(status).toBeLessThan(300);
    return answer;
  };
  const { id } = await send('POST', '/jobs', { ...job, max_retries: 0 });
  await send('POST', '/jobs/claim', { queue_name, worker_id: 'w' });
  await send('POST', `/jobs/${id}/fail`, { worker_id: 'w', error: 'broken' });
  const created = await send('POST', '/schedules', schedule);
  await send('PUT', contract, { schema: doubling, mode: 'warn' });
  return { key, schedule: created.id as string };
}

const remainingOf = async ({ key }: World) =>
  Number((await gateway.request('GET', '/queues', key)).headers['x-ratelimit-remaining']);

describe('BX-09 checks of payloads that take long', () => {
  it.each(Object.entries(ways))('cost the caller of %s tokens of its rate', async (_name, way) => {
    const world = await prepare(1_000);
    const before = await remainingOf(world);
    const { cost, remaining } = await way(world);
    expect(cost).toBeGreaterThan(1);
    expect(before - remaining).toBe(cost);
  });

  it('are followed by 429 when the rate is used up, until it is refilled', async () => {
    const world = await prepare(15);
    const first = await gateway.request('POST', '/jobs', world.key, job);
    expect([first.status, first.headers['x-ratelimit-remaining']]).toEqual([201, '0']);
    const next = await gateway.request('POST', '/jobs', world.key, { queue_name: 'other', payload: {} });
    expect([next.status, next.body.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
    expect(Number(next.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('cost nothing more than the request while they are cheap', async () => {
    const world = await prepare(1_000);
    await gateway.request('PUT', contract, world.key, { schema: { type: 'object' }, compatibility: 'none' });
    const { status, headers } = await gateway.request('POST', '/jobs', world.key, job);
    expect([status, headers['x-ratelimit-cost']]).toEqual([201, undefined]);
  });

  it('cost the reading of a large schema, beside the event loop, and then no more', async () => {
    const world = await prepare(1_000);
    await gateway.request('PUT', contract, world.key, { schema: { properties: members(800) }, compatibility: 'none' });
    const costOf = async () => (await gateway.request('POST', '/jobs', world.key, job)).headers['x-ratelimit-cost'];
    expect(Number(await costOf())).toBeGreaterThan(1);
    expect(await costOf()).toBe(undefined);
  });

  it.each(Object.entries(ways))('end when the caller of %s leaves', async (_name, way) => {
    const world = await prepare(1_000);
    const pool = gateway.app.get(CheckPool);
    const caller = new AbortController();
    const ended = new Promise<void>((resolve) => {
      // In place of a queue in which others are first.
      pool.run = (_organizationId, _task, signal) =>
        new Promise((_, reject) => {
          signal!.addEventListener('abort', () => (resolve(), reject(unavailable('The check of payloads'))));
          caller.abort();
        });
    });
    try {
      await way(world, caller.signal).catch(() => undefined);
      await ended;
    } finally {
      Reflect.deleteProperty(pool, 'run');
    }
  });
});
