import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { BatchServiceService, type JobBatch } from '@spooled/contracts/grpc';
import { eventually, useDatabase, useRedis, useTenantForEach } from '@spooled/testing';
import { useGatewayOn } from '../gateway.fixture.js';
import { GrpcServer } from '../grpc-server/grpc-server.js';

const database = useDatabase();
const redis = useRedis();
// Finds jobs by wake-ups only.
const env = { WORKER_FALLBACK_POLL_INTERVAL_SECS: '300', GRPC_PORT: '0', HOST: '127.0.0.1' };
const gateway = useGatewayOn(database, { redis, env });
const tenant = useTenantForEach(database);

/** Characters of three bytes each. */
const payload = { text: '…'.repeat(333_333) };

async function createJobs(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const { status, body } = await gateway.request('POST', '/jobs', tenant.key, { queue_name: 'large', payload });
    expect(status).toBe(201);
    ids.push(body.id);
  }
  return ids;
}

it('BX-03 a claim ends after 8 MB of payloads, and the next one gets the rest', async () => {
  const ids = await createJobs(12);
  const claim = async (limit: number) => {
    const body = { queue_name: 'large', worker_id: 'w', limit };
    const answer = await gateway.request('POST', '/jobs/claim', tenant.key, body);
    return (answer.body.jobs as { id: string; payload: unknown }[]).map((job) => {
      expect(job.payload).toEqual(payload);
      return job.id;
    });
  };
  expect(await claim(100)).toEqual(ids.slice(0, 9));
  expect(await claim(2)).toEqual(ids.slice(9, 11));
  expect(await claim(100)).toEqual(ids.slice(11));
});

it('BX-19 a stream goes on after a claim that ended for its size', async () => {
  const ids = await createJobs(20);
  const server = gateway.app.get(GrpcServer);
  await server.listen();
  const client = new Client(`localhost:${server.port}`, credentials.createInsecure());
  try {
    const metadata = new Metadata();
    metadata.set('x-api-key', tenant.key);
    const { path, requestSerialize, responseDeserialize } = BatchServiceService.streamBatches;
    const request = { queue_names: ['large'], worker_id: 'w', lease_duration_secs: 60, prefetch: 100, batch_size: 100 };
    const stream = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, request, metadata);
    const received: string[] = [];
    stream.on('error', () => undefined);
    stream.on('data', ({ jobs }: JobBatch) => received.push(...jobs.map(({ id }) => id)));
    await eventually(() => expect(received).toEqual(ids));
  } finally {
    client.close();
    await server.close();
  }
});
