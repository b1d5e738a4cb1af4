import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { BatchServiceService, QueueServiceService } from '@spooled/contracts/grpc';
import {
  createTenant,
  createTestDatabase,
  eventually,
  startRedis,
  type TestDatabase,
  type TestRedis,
  type TestTenant,
} from '@spooled/testing';
import { startGateway, type TestGateway } from '../gateway.fixture.js';
import { GrpcServer } from '../grpc-server/grpc-server.js';

let database: TestDatabase;
let redis: TestRedis;
let gateway: TestGateway;
let server: GrpcServer;
let sessions: [ClientHttp2Session, ClientHttp2Session];

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), startRedis()]);
  const env = { GRPC_PORT: '0', HOST: '127.0.0.1', GRPC_MAX_UNSENT_BYTES: '4194304' };
  gateway = await startGateway(database, { redisUrl: redis.url, env });
  server = gateway.app.get(GrpcServer);
  await server.listen();
  const open = () => connect(`http://127.0.0.1:${server.port}`);
  sessions = [open(), open()];
});
afterAll(async () => {
  for (const session of sessions ?? []) session.destroy();
  await server?.close();
  await gateway?.stop();
  await Promise.all([redis?.close(), database?.drop()]);
});

async function createJobs(tenant: TestTenant, count: number, characters: number): Promise<void> {
  const payload = { text: 'x'.repeat(characters) };
  for (let i = 0; i < count; i++) {
    const { status } = await gateway.request('POST', '/jobs', tenant.key, { queue_name: 'large', payload });
    expect(status).toBe(201);
  }
}

const claimed = async (tenant: TestTenant): Promise<number> =>
  (await gateway.request('GET', '/queues/large/stats', tenant.key)).body.processing_jobs;

/** Calls of both kinds as their client sends them. */
const requests: { path: string; message: Buffer }[] = [
  {
    path: BatchServiceService.streamBatches.path,
    message: BatchServiceService.streamBatches.requestSerialize({
      queue_names: ['large'],
      worker_id: 'w',
      lease_duration_secs: 60,
      prefetch: 100,
      batch_size: 100,
    }),
  },
  {
    path: QueueServiceService.streamJobs.path,
    message: QueueServiceService.streamJobs.requestSerialize({
      queue_name: 'large',
      worker_id: 'w',
      lease_duration_secs: 60,
      prefetch: 100,
    }),
  },
];

/** A stream that is not read until it is resumed. Clients of the library read messages ahead. */
function openStream(session: ClientHttp2Session, { key }: TestTenant, i: number): ClientHttp2Stream {
  const { path, message } = requests[i % requests.length]!;
  const stream = session.request({
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
    'x-api-key': key,
  });
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  stream.on('error', () => undefined);
  stream.end(Buffer.concat([prefix, message]));
  return stream;
}

it('BX-03 streams that are not read hold few jobs, leave room for those of others, and go on when they are read', async () => {
  const [unread, other] = [await createTenant(database.superuserUrl), await createTenant(database.superuserUrl)];
  await createJobs(unread, 16, 900_000);
  const streams = Array.from({ length: 12 }, (_, i) => openStream(sessions[0], unread, i));
  await eventually(async () => expect(await claimed(unread)).toBeGreaterThan(0));
  const reading = openStream(sessions[1], other, 0);
  // One after another, which gives the others time to claim.
  for (let i = 0; i < 10; i++) {
    const received = once(reading, 'data');
    await createJobs(other, 1, 10);
    await received;
  }
  expect(await claimed(unread)).toBeLessThanOrEqual(4);
  for (const stream of streams) stream.resume();
  await eventually(async () => expect(await claimed(unread)).toBe(16), { timeoutMs: 30_000 });
}, 60_000);
