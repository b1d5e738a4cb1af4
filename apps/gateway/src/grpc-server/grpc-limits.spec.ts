import { Client, credentials, Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { EnqueueRequest, QueueServiceService } from '@spooled/contracts/grpc';
import { newApiKeyText } from '@spooled/data-access';
import {
  createTenant,
  createTestDatabase,
  eventually,
  startRedis,
  type TestDatabase,
  type TestRedis,
} from '@spooled/testing';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { startGateway, type TestGateway } from '../gateway.fixture.js';
import { GrpcServer } from './grpc-server.js';
import { queueService, workerService } from '../grpc/service-definitions.js';

const burst = 3;
const methods = Object.entries({ ...queueService, ...workerService });

interface Served {
  gateway: TestGateway;
  client: Client;
}

describe.each([
  ['with Redis', () => startRedis()],
  ['without Redis', () => Promise.resolve(null)],
])('limits of gRPC, %s', (_, provideRedis) => {
  let database: TestDatabase;
  let redis: TestRedis | null;
  const served: Served[] = [];
  /** A gateway whose calls by one address are limited, and one with the default limits. */
  let strict: Served;
  let usual: Served;

  beforeAll(async () => {
    [database, redis] = await Promise.all([createTestDatabase(), provideRedis()]);
    strict = await serve({
      RATE_LIMIT_REQUESTS_PER_SECOND: '1',
      RATE_LIMIT_BURST_SIZE: String(burst),
      TRUSTED_PROXY_HOPS: '1',
    });
    usual = await serve({});
  });
  afterAll(async () => {
    for (const { gateway, client } of served) {
      client.close();
      await gateway.app.get(GrpcServer).close();
      await gateway.stop();
    }
    await Promise.all([redis?.close(), database?.drop()]);
  });

  async function serve(env: Record<string, string>): Promise<Served> {
    const gateway = await startGateway(database, {
      redisUrl: redis?.url,
      env: { GRPC_PORT: '0', HOST: '127.0.0.1', ...env },
    });
    const server = gateway.app.get(GrpcServer);
    await server.listen();
    const client = new Client(`localhost:${server.port}`, credentials.createInsecure());
    served.push({ gateway, client });
    return { gateway, client };
  }

  const metadataOf = (entries: Record<string, string>): Metadata => {
    const metadata = new Metadata();
    for (const [name, value] of Object.entries(entries)) metadata.add(name, value);
    return metadata;
  };

  /** Calls any method with an empty message. Resolves with the error that ended it. */
  function call(client: Client, name: string, metadata: Metadata): Promise<ServiceError> {
    const { path, requestStream, responseStream, responseDeserialize } = methods.find(([each]) => each === name)![1];
    const requestSerialize = () => Buffer.alloc(0);
    return new Promise((resolve) => {
      if (!requestStream && !responseStream) {
        client.makeUnaryRequest(path, requestSerialize, responseDeserialize, {}, metadata, (error) => resolve(error!));
        return;
      }
      const stream = requestStream
        ? client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, metadata)
        : client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, {}, metadata);
      stream.on('error', resolve).on('data', () => undefined);
    });
  }

  it.each(methods.map(([name]) => name))('%s refuses an address that guesses keys', async (name) => {
    const { client } = strict;
    const address = `203.0.113.${methods.findIndex(([each]) => each === name)}`;
    const answers: ServiceError[] = [];
    for (let i = 0; i < 5 * burst && answers.at(-1)?.code !== status.RESOURCE_EXHAUSTED; i++) {
      // A header of the caller's own, and before that of the proxy another value.
      const metadata = metadataOf({ 'x-api-key': newApiKeyText({ live: true }), 'x-real-ip': `192.0.2.${i}` });
      metadata.add('x-forwarded-for', `198.51.100.${i}`);
      metadata.add('x-forwarded-for', address);
      answers.push(await call(client, name, metadata));
    }
    expect(answers[0]!.code).toBe(status.UNAUTHENTICATED);
    expect(answers.at(-1)!.code).toBe(status.RESOURCE_EXHAUSTED);
    expect(Number(answers.at(-1)!.metadata.get('retry-after')[0])).toBeGreaterThan(0);
  });

  it('answers a wrong key before any message has come', async () => {
    const { client } = usual;
    const session = connectHttp2(`http://${client.getChannel().getTarget().replace(/^dns:/, '')}`);
    for (const [, { path }] of methods) {
      const headers = { ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers' };
      const request = session.request({ ...headers, 'x-api-key': 'wrong' });
      const [answer] = (await once(request, 'response')) as [Record<string, string>];
      expect([path, Number(answer['grpc-status'])]).toEqual([path, status.UNAUTHENTICATED]);
      request.close();
    }
    session.destroy();
  });

  it('BX-03 answers a call beyond the rate of its organization before any message has come', async () => {
    const { client } = usual;
    const customLimits = { rate_limit_requests_per_second: 0, rate_limit_burst: 1 };
    const { key } = await createTenant(database.superuserUrl, { customLimits });
    const session = connectHttp2(`http://${client.getChannel().getTarget().replace(/^dns:/, '')}`);
    const { path } = QueueServiceService.enqueue;
    const headers = { ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers' };
    const requests = Array.from({ length: 10 }, () => session.request({ ...headers, 'x-api-key': key }));
    const answer = await Promise.race(requests.map(async (one) => (await once(one, 'response'))[0]));
    expect([Number(answer['grpc-status']), answer['retry-after']]).toEqual([
      status.RESOURCE_EXHAUSTED,
      expect.any(String),
    ]);
    session.destroy();
  });

  it('SP-13 counts in the same bucket of the organization as REST', async () => {
    const { client, gateway } = usual;
    const customLimits = { rate_limit_requests_per_second: 0, rate_limit_burst: 20 };
    const tenant = await createTenant(database.superuserUrl, { customLimits });
    const { path, requestSerialize, responseDeserialize } = QueueServiceService.getQueueStats;
    const viaGrpc = (key = tenant.key) =>
      new Promise<{ error: ServiceError | null; metadata: Metadata }>((resolve) => {
        let error: ServiceError | null = null;
        const metadata = metadataOf({ 'x-api-key': key });
        const request = { queue_name: 'q' };
        const stream = client.makeUnaryRequest(
          path,
          requestSerialize,
          responseDeserialize,
          request,
          metadata,
          {},
          (e) => {
            error = e;
          },
        );
        let received = new Metadata();
        stream.on('metadata', (one) => (received = one));
        stream.on('status', () => setImmediate(() => resolve({ error, metadata: received })));
      });
    const read = async () => (await gateway.request('GET', '/jobs', tenant.key)) as { status: number; headers: object };
    const reads = await Promise.all(Array.from({ length: 10 }, read));
    for (const { headers } of reads) expect(headers).toMatchObject({ 'x-ratelimit-limit': '20' });
    const { error, metadata } = await viaGrpc();
    expect([error, metadata.get('x-ratelimit-scope')]).toEqual([null, ['organization']]);
    expect(Number(metadata.get('x-ratelimit-remaining')[0])).toBeLessThan(19);
    const answers = await Promise.all(Array.from({ length: 30 }, () => viaGrpc()));
    const refused = answers.find((answer) => answer.error !== null)!.error!;
    expect(refused.code).toBe(status.RESOURCE_EXHAUSTED);
    expect(refused.metadata.get('retry-after')).toEqual([expect.stringMatching(/^[1-9]\d?$/)]);
    expect(refused.metadata.getMap()).toMatchObject({
      'x-ratelimit-limit': '20',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': expect.stringMatching(/^1\d{9}$/),
      'x-ratelimit-scope': 'organization',
    });
    const unknown = (await viaGrpc('sk_live_unknown')).error!;
    expect([unknown.code, unknown.metadata.get('x-ratelimit-scope')]).toEqual([status.UNAUTHENTICATED, ['ip']]);
    // Alone, REST would have ten left; the bucket gets one each second.
    const more = await Promise.all(Array.from({ length: 10 }, read));
    expect(more.map((answer) => answer.status)).toContain(429);
  });

  it('tells a cap of the plan from a rate: no retry-after', async () => {
    const { client } = usual;
    const tenant = await createTenant(database.superuserUrl, { plan: 'free', customLimits: { max_queues: 0 } });
    const { path, requestSerialize, responseDeserialize } = QueueServiceService.enqueue;
    const request = { ...EnqueueRequest.decode(new Uint8Array()), queue_name: 'q', payload: {} };
    const refused = await new Promise<ServiceError>((resolve) => {
      const metadata = metadataOf({ 'x-api-key': tenant.key });
      client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, metadata, {}, (e) => resolve(e!));
    });
    expect(refused).toMatchObject({
      code: status.RESOURCE_EXHAUSTED,
      details: expect.stringContaining('limit reached'),
    });
    expect(refused.metadata.get('retry-after')).toEqual([]);
  });

  it('has a cap of open streams for each organization, over all replicas that share a Redis', async () => {
    const replicas = [await serve({ GRPC_MAX_STREAMS: '2' }), await serve({ GRPC_MAX_STREAMS: '2' })];
    const [one, two] = replicas.map(({ client }) => client) as [Client, Client];
    const [tenant, other] = [await createTenant(database.superuserUrl), await createTenant(database.superuserUrl)];
    const open = async (client: Client, key: string) => {
      const { path, requestSerialize, responseDeserialize } = QueueServiceService.streamJobs;
      const request = { queue_name: 'q', worker_id: 'w', lease_duration_secs: 0, prefetch: 0 };
      const metadata = metadataOf({ 'x-api-key': key });
      const stream = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, request, metadata);
      const refused = new Promise<ServiceError>((resolve) => stream.on('error', resolve));
      return { stream, ending: await Promise.race([once(stream, 'metadata').then(() => null), refused]) };
    };
    const streams = [await open(one, tenant.key), await open(redis ? two : one, tenant.key)];
    expect(streams.map(({ ending }) => ending)).toEqual([null, null]);
    const { ending } = await open(one, tenant.key);
    expect(ending).toMatchObject({ code: status.RESOURCE_EXHAUSTED, details: expect.stringContaining('2 per') });
    expect(ending!.metadata.get('retry-after')).toEqual(['10']);
    expect(ending!.metadata.get('x-ratelimit-scope')).toEqual(['organization']);
    streams.push(await open(one, other.key));
    expect(streams.at(-1)!.ending).toBeNull();
    streams[0]!.stream.cancel();
    await eventually(async () => {
      const again = await open(one, tenant.key);
      if (again.ending === null) streams.push(again);
      expect(again.ending).toBeNull();
    });
    for (const { stream } of streams) stream.cancel();
  });
});
