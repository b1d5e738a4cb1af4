import { credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { BatchServiceClient, type JobBatch } from '@spooled/contracts/grpc';
import { useForAll, useTenantForEach } from '@spooled/testing';
import { useGateway } from '../gateway.fixture.js';
import { GrpcServer } from '../grpc-server/grpc-server.js';

const { database, gateway } = useGateway({ GRPC_PORT: '0', HOST: '127.0.0.1' });
const tenant = useTenantForEach(database);
const grpc = useForAll(
  async () => {
    const server = gateway.app.get(GrpcServer);
    await server.listen();
    const client = new BatchServiceClient(`localhost:${server.port}`, credentials.createInsecure());
    return { server, client };
  },
  async ({ server, client }) => {
    client.close();
    await server.close();
  },
);

it('SP-61 a stream that names a queue outside the scope of its key is refused before it claims from the others', async () => {
  const job = { queue_name: 'mine', payload: {} };
  expect((await gateway.request('POST', '/jobs', tenant.key, job)).status).toBe(201);
  const metadata = new Metadata();
  metadata.set('x-api-key', await tenant.keyFor('mine'));
  const request = { worker_id: 'w', lease_duration_secs: 60, prefetch: 10, batch_size: 10 };
  const stream = grpc.client.streamBatches({ ...request, queue_names: ['mine', 'others'] }, metadata);
  const received: JobBatch[] = [];
  stream.on('data', (batch: JobBatch) => received.push(batch));
  const error = await new Promise<ServiceError>((resolve) =>
    stream.once('error', (thrown) => resolve(thrown as ServiceError)),
  );
  expect(error.code).toBe(status.PERMISSION_DENIED);
  expect(error.message).toContain('"others"');
  expect(received).toEqual([]);
});
