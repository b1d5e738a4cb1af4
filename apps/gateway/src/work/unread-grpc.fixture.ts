import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { BatchServiceService, QueueServiceService } from '@spooled/contracts/grpc';
import { createTestDatabase, startRedis, type TestTenant } from '@spooled/testing';
import { startGateway, type TestGateway } from '../gateway.fixture.js';
import { GrpcServer } from '../grpc-server/grpc-server.js';

const claim = { worker_id: 'w', lease_duration_secs: 60 };

/** What workers send to take jobs of the queue `large`, in the ways of the protocol. */
const requests = {
  stream_batches: {
    path: BatchServiceService.streamBatches.path,
    messages: [
      BatchServiceService.streamBatches.requestSerialize({
        ...claim,
        queue_names: ['large'],
        prefetch: 100,
        batch_size: 100,
      }),
    ],
  },
  stream_jobs: {
    path: QueueServiceService.streamJobs.path,
    messages: [QueueServiceService.streamJobs.requestSerialize({ ...claim, queue_name: 'large', prefetch: 100 })],
  },
  process_jobs: {
    path: QueueServiceService.processJobs.path,
    messages: Array.from({ length: 16 }, () =>
      QueueServiceService.processJobs.requestSerialize({ dequeue: { ...claim, queue_name: 'large', batch_size: 1 } }),
    ),
  },
};
export type JobStream = keyof typeof requests;
export const jobStreams = Object.keys(requests) as JobStream[];

/** A gateway with a gRPC server, and two connections to it. */
export async function openGrpc(env: Record<string, string>) {
  const [database, redis] = await Promise.all([createTestDatabase(), startRedis()]);
  const gateway = await startGateway(database, {
    redisUrl: redis.url,
    env: { GRPC_PORT: '0', HOST: '127.0.0.1', ...env },
  });
  const server = gateway.app.get(GrpcServer);
  await server.listen();
  const open = () => connect(`http://127.0.0.1:${server.port}`);
  const sessions: [ClientHttp2Session, ClientHttp2Session] = [open(), open()];
  const close = async () => {
    for (const session of sessions) session.destroy();
    await server.close();
    await gateway.stop();
    await Promise.all([redis.close(), database.drop()]);
  };
  return { database, gateway, sessions, close };
}

/** A stream that is not read until it is resumed. Clients of the library read messages ahead. */
export function openStream(session: ClientHttp2Session, { key }: TestTenant, kind: JobStream): ClientHttp2Stream {
  const { path, messages } = requests[kind];
  const stream = session.request({
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
    'x-api-key': key,
  });
  stream.on('error', () => undefined);
  for (const message of messages) {
    const prefix = Buffer.alloc(5);
    prefix.writeUInt32BE(message.length, 1);
    stream.write(Buffer.concat([prefix, message]));
  }
  stream.end();
  return stream;
}

/** Jobs of the queue `large` that a tenant's workers hold. */
export const claimed = async ({ request }: TestGateway, { key }: TestTenant): Promise<number> =>
  (await request('GET', '/queues/large/stats', key)).body.processing_jobs;

export async function createJobs({ request }: TestGateway, { key }: TestTenant, count: number, characters: number) {
  const payload = { text: 'x'.repeat(characters) };
  for (let i = 0; i < count; i++) {
    const { status } = await request('POST', '/jobs', key, { queue_name: 'large', payload });
    expect(status).toBe(201);
  }
}
