import { credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { EnqueueRequest, QueueServiceClient, WorkerServiceClient } from '@spooled/contracts/grpc';
import { createTenant, createTestDatabase, eventually, type TestDatabase, type TestTenant } from '@spooled/testing';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import pg from 'pg';
import { startGateway, type TestGateway } from '../gateway.fixture.js';
import { GrpcServer } from '../grpc-server/grpc-server.js';

const maxInFlight = 40;
/** Of an organization with the plan `pro`, whose weight is 16. */
const shareAlone = 37;
const floodSize = 60;

let database: TestDatabase;
let flood: TestTenant;
let quiet: TestTenant;
let gateway: TestGateway;
let port: number;
let queues: QueueServiceClient;
let workers: WorkerServiceClient;
/** Makes the flood's requests slow: it locks a table that only they need. */
let holder: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  [flood, quiet] = await Promise.all([
    createTenant(database.superuserUrl, { plan: 'pro' }),
    createTenant(database.superuserUrl, { plan: 'pro' }),
  ]);
  gateway = await startGateway(database, {
    env: {
      HTTP_MAX_IN_FLIGHT: String(maxInFlight),
      DATABASE_MAX_CONNECTIONS: '9',
      // The flood waits for a lock, and for the connections of those that wait for it, as long as a test holds it.
      DATABASE_QUERY_TIMEOUT_MS: '60000',
      DATABASE_ACQUIRE_TIMEOUT_SECS: '60',
      COMMAND_TIMEOUT_MS: '60000',
      GRPC_PORT: '0',
      HOST: '127.0.0.1',
    },
  });
  await gateway.app.listen(0, '127.0.0.1');
  port = (gateway.app.getHttpServer().address() as AddressInfo).port;
  const server = gateway.app.get(GrpcServer);
  await server.listen();
  const address = `localhost:${server.port}`;
  queues = new QueueServiceClient(address, credentials.createInsecure());
  workers = new WorkerServiceClient(address, credentials.createInsecure());
  holder = new pg.Client(database.superuserUrl);
  await holder.connect();
});
afterEach(async () => {
  await holder.query('ROLLBACK');
  await untilInFlight('rest', 0);
  await untilInFlight('grpc', 0);
});
afterAll(async () => {
  queues?.close();
  workers?.close();
  await holder?.end();
  await gateway?.app.get(GrpcServer).close();
  await gateway?.stop();
  await database?.drop();
});

const untilInFlight = (protocol: string, count: number) =>
  eventually(async () =>
    expect(await gateway.service.metrics.text()).toContain(
      `spooled_requests_in_flight{protocol="${protocol}"} ${count}\n`,
    ),
  );

/** Refusals so far of organizations beyond their share. */
async function refusals(protocol: string): Promise<number> {
  const [, count] = new RegExp(`spooled_requests_shed_total{protocol="${protocol}",reason="share"} (\\d+)`).exec(
    await gateway.service.metrics.text(),
  )!;
  return Number(count);
}

function ask({ key }: TestTenant, path: string, body?: unknown): Promise<Response> {
  const headers = { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) };
  const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
  return fetch(`http://127.0.0.1:${port}/api/v1${path}`, init);
}

function metadataOf({ key }: TestTenant): Metadata {
  const metadata = new Metadata();
  metadata.set('x-api-key', key);
  return metadata;
}

/** Everything that a producer and a worker of a quiet organization do, each once. */
async function useEverything(queue: string): Promise<void> {
  const single = await ask(quiet, '/jobs', { queue_name: queue, payload: { a: 1 } });
  expect(single.status).toBe(201);
  const jobs = Array.from({ length: 50 }, (_, i) => ({ payload: { i } }));
  expect((await ask(quiet, '/jobs/bulk', { queue_name: queue, jobs })).status).toBe(200);
  const { id } = (await single.json()) as { id: string };
  expect((await ask(quiet, `/jobs/${id}`)).status).toBe(200);
  expect((await ask(quiet, `/jobs?queue_name=${queue}&limit=10`)).status).toBe(200);
  const metadata = metadataOf(quiet);
  const enqueue = promisify(queues.enqueue.bind(queues)) as (...call: unknown[]) => Promise<{ job_id: string }>;
  const added = await enqueue({ ...EnqueueRequest.decode(new Uint8Array()), queue_name: queue, payload: {} }, metadata);
  const stats = promisify(queues.getQueueStats.bind(queues)) as (...call: unknown[]) => Promise<{ pending: number }>;
  expect(added.job_id).toEqual(expect.any(String));
  expect(await stats({ queue_name: queue }, metadata)).toMatchObject({ pending: 52 });
}

describe('a flood of slow requests of one organization', () => {
  it('BX-03 over REST is refused only beyond its share, and another organization is served', async () => {
    await holder.query('BEGIN; LOCK TABLE audit_log IN ACCESS EXCLUSIVE MODE');
    const before = await refusals('rest');
    const requests = Array.from({ length: floodSize }, () => ask(flood, '/audit'));
    await eventually(async () => expect(await refusals('rest')).toBe(before + floodSize - shareAlone));
    await untilInFlight('rest', shareAlone);
    await useEverything('beside-rest');
    expect(await refusals('rest')).toBe(before + floodSize - shareAlone);
    await holder.query('ROLLBACK');
    const responses = await Promise.all(requests);
    const refused = responses.filter(({ status }) => status === 503);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(shareAlone);
    expect(refused.map(({ headers }) => headers.get('retry-after'))).toEqual(
      new Array(floodSize - shareAlone).fill('1'),
    );
    expect(await refused[0]!.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('BX-03 over gRPC is refused only beyond its share, and another organization is served', async () => {
    await holder.query('BEGIN; LOCK TABLE workers IN ACCESS EXCLUSIVE MODE');
    const before = await refusals('grpc');
    const codes = Array.from(
      { length: floodSize },
      (_, i) =>
        new Promise<status>((resolve) => {
          const request = {
            queue_name: 'slow',
            hostname: 'h',
            worker_id: `w${i}`,
            worker_type: '',
            max_concurrency: 1,
            metadata: {},
            version: '',
          };
          workers.register(request, metadataOf(flood), (error: ServiceError | null) =>
            resolve(error?.code ?? status.OK),
          );
        }),
    );
    await eventually(async () => expect(await refusals('grpc')).toBe(before + floodSize - shareAlone));
    await untilInFlight('grpc', shareAlone);
    await useEverything('beside-grpc');
    await holder.query('ROLLBACK');
    const ended = await Promise.all(codes);
    expect(ended.filter((code) => code === status.UNAVAILABLE)).toHaveLength(floodSize - shareAlone);
    expect(ended.filter((code) => code !== status.UNAVAILABLE)).toHaveLength(shareAlone);
  });

  it('BX-03 that never sends its messages uses up its own share of gRPC calls only', async () => {
    const calls = Array.from({ length: floodSize }, () =>
      queues.makeClientStreamRequest(
        '/spooled.v1.QueueService/Enqueue',
        () => Buffer.alloc(0),
        () => undefined,
        metadataOf(flood),
        () => undefined,
      ),
    );
    await untilInFlight('grpc', shareAlone);
    await useEverything('beside-silence').finally(() => {
      for (const call of calls) call.cancel();
    });
  });
});
