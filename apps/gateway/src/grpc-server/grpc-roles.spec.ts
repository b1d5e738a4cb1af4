import { Client, credentials, Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { QueueServiceService } from '@spooled/contracts/grpc';
import { lookupOf } from '@spooled/data-access';
import { type Role, roles } from '@spooled/domain';
import { createTenant, useSuperuser, useTenantForEach } from '@spooled/testing';
import { once } from 'node:events';
import { batchService, queueService, workerService } from '../grpc/service-definitions.js';
import { useGateway } from '../gateway.fixture.js';
import { GrpcServer } from './grpc-server.js';

const methods = Object.entries({ ...queueService, ...workerService, ...batchService });
/** RPCs that only read; the others are for keys that create and run jobs. */
const reads: Record<string, Role[]> = {
  getJob: ['admin', 'operator', 'worker', 'viewer'],
  getQueueStats: ['admin', 'operator', 'viewer'],
};
const works: Role[] = ['admin', 'operator', 'worker'];

let client: Client;
afterAll(async () => {
  client?.close();
  await gateway.app?.get(GrpcServer).close();
});
const { database, gateway } = useGateway({ GRPC_PORT: '0', HOST: '127.0.0.1' });
const superuser = useSuperuser(database);
const tenant = useTenantForEach(database);

beforeAll(async () => {
  const server = gateway.app.get(GrpcServer);
  await server.listen();
  client = new Client(`localhost:${server.port}`, credentials.createInsecure());
});

const metadataFor = (key: string): Metadata => {
  const metadata = new Metadata();
  metadata.set('x-api-key', key);
  return metadata;
};

/** Calls any method with an empty message. Resolves with the error that ended it; null if it was accepted. */
function call(name: string, key: string): Promise<ServiceError | null> {
  const { path, requestStream, responseStream, responseDeserialize } = methods.find(([each]) => each === name)![1];
  const empty = () => Buffer.alloc(0);
  const metadata = metadataFor(key);
  return new Promise((resolve) => {
    if (!requestStream && !responseStream) {
      client.makeUnaryRequest(path, empty, responseDeserialize, {}, metadata, (error) => resolve(error));
      return;
    }
    const stream = requestStream
      ? client.makeBidiStreamRequest(path, empty, responseDeserialize, metadata)
      : client.makeServerStreamRequest(path, empty, responseDeserialize, {}, metadata);
    const accept = () => {
      resolve(null);
      stream.cancel();
    };
    stream
      .on('error', resolve)
      .once('metadata', accept)
      .on('data', () => undefined);
  });
}

describe('BX-23 the role of an API key', () => {
  it.each(roles)('%s may call its RPCs and no others', async (role) => {
    const key = await tenant.keyAs(role);
    expect(methods.length).toBeGreaterThan(14);
    const differences: string[] = [];
    for (const [name] of methods) {
      const may = (reads[name] ?? works).includes(role);
      const error = await call(name, key);
      const isRefused = error?.code === status.PERMISSION_DENIED;
      if (isRefused === may) differences.push(`${name} as ${role}: ${error?.code} ${error?.details}`);
      if (isRefused) expect(error.details).toContain(`The role of this API key is ${role}`);
    }
    expect(differences).toEqual([]);
  });

  it('ends its streams of jobs once it no longer permits them', async () => {
    const key = await tenant.keyAs('worker');
    const { path, requestSerialize, responseDeserialize } = QueueServiceService.streamJobs;
    const request = { queue_name: 'q', worker_id: 'w', lease_duration_secs: 0, prefetch: 0 };
    const stream = client.makeServerStreamRequest(
      path,
      requestSerialize,
      responseDeserialize,
      request,
      metadataFor(key),
    );
    const ended = new Promise<ServiceError>((resolve) => stream.on('error', resolve));
    await once(stream, 'metadata');
    await superuser.query("UPDATE api_keys SET role = 'viewer' WHERE key_lookup = $1", [lookupOf(key)]);
    expect(await ended).toMatchObject({ code: status.PERMISSION_DENIED });
  });

  it('takes a refused call from the rate of the organization', async () => {
    const customLimits = { rate_limit_requests_per_second: 0, rate_limit_burst: 3 };
    const limited = await createTenant(database.superuserUrl, { customLimits });
    const key = await limited.keyAs('viewer');
    const calls = await Promise.all(Array.from({ length: 6 }, () => call('enqueue', key)));
    expect(new Set(calls.map((error) => error?.code))).toEqual(
      new Set([status.PERMISSION_DENIED, status.RESOURCE_EXHAUSTED]),
    );
  });
});
