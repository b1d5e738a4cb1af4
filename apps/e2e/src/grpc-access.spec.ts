import { loadSync, type PackageDefinition } from '@grpc/proto-loader';
import { createTenant, eventually, type TestTenant } from '@spooled/testing';
import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import protobuf from 'protobufjs';
import descriptor from 'protobufjs/ext/descriptor/index.js';
import { GrpcCaller, published, struct, type Message } from './grpc-caller.js';
import { newQueue } from './job-steps.js';
import { anId, RestCaller } from './rest-caller.js';
import { Sessions } from './sessions.js';
import { useStack } from './use-rest.js';

const stack = useStack();
let tenant: TestTenant;
let grpc: GrpcCaller;
const opened: GrpcCaller[] = [];

beforeEach(async () => {
  tenant = await createTenant(stack.databaseUrls.superuserUrl);
  grpc = open({ 'x-api-key': tenant.key });
});

afterEach(() => {
  for (const caller of opened.splice(0)) caller.close();
});

function open(metadata: Record<string, string>, protos: PackageDefinition = published): GrpcCaller {
  const caller = new GrpcCaller(stack.grpcAddresses[0]!, metadata, protos);
  opened.push(caller);
  return caller;
}

const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });

/** One stream of each kind, accepted by the server. */
async function openStreams(caller: GrpcCaller) {
  const streams = [
    caller.serverStream('StreamJobs', { queue_name: 'mine', worker_id: 'w' }),
    caller.duplex('ProcessJobs'),
    caller.serverStream('BatchService/StreamBatches', { queue_names: ['mine'], worker_id: 'w' }),
  ];
  await Promise.all(streams.map(({ admitted }) => admitted));
  return streams;
}

const refused = (code: string, details: RegExp) => ({ code, details: expect.stringMatching(details) });
const unknownKey = `sk_test_${'A'.repeat(43)}`;

const methods: [method: string, request: object][] = [
  ['Enqueue', { queue_name: 'mine' }],
  ['Dequeue', { queue_name: 'mine', worker_id: 'w' }],
  ['Complete', { worker_id: 'w' }],
  ['Fail', { worker_id: 'w' }],
  ['RenewLease', { worker_id: 'w' }],
  ['GetJob', {}],
  ['GetQueueStats', { queue_name: 'mine' }],
  ['WorkerService/Register', { queue_name: 'mine', hostname: 'h' }],
  ['WorkerService/Heartbeat', { worker_id: 'w' }],
  ['WorkerService/Deregister', { worker_id: 'w' }],
  ['BatchService/EnqueueMany', { queue_name: 'mine', jobs: [{ payload: Buffer.from('1') }] }],
  ['BatchService/SettleMany', { worker_id: 'w' }],
];

describe('credentials', () => {
  it.each(['StreamJobs', 'ProcessJobs'])('UNAUTHENTICATED without a valid key: %s', async (method) => {
    const caller = open({ 'x-api-key': unknownKey });
    const stream = method === 'ProcessJobs' ? caller.duplex(method) : caller.serverStream(method, {});
    expect(await stream.end).toEqual(refused('UNAUTHENTICATED', /Invalid/));
  });

  it('a key is accepted as x-api-key and as a bearer token, until it is revoked', async () => {
    const rest = new RestCaller(stack.baseUrl, tenant.key);
    const { body } = await rest.post('/api-keys', { name: 'k' });
    const callers = [open({ 'x-api-key': body.key }), open({ authorization: `Bearer ${body.key}` })];
    for (const caller of callers) expect(await caller.call('GetJob')).toEqual({ job: null });
    await rest.delete(`/api-keys/${body.id}`);
    for (const caller of callers) expect(await caller.refusal('GetJob')).toEqual(refused('UNAUTHENTICATED', /Invalid/));
  });

  it('UNAUTHENTICATED with a refresh token, by every RPC', async () => {
    const { refresh_token } = await new Sessions(stack, tenant).login();
    const caller = open(bearer(refresh_token));
    for (const [method, request] of methods) {
      const refusal = await caller.refusal(method, request);
      expect({ method, ...refusal }).toEqual({ method, ...refused('UNAUTHENTICATED', /not an access token/) });
    }
  });

  it('SP-20 an access token is accepted by every RPC as its key is', async () => {
    const { access_token } = await new Sessions(stack, tenant).login();
    const callers = [bearer(access_token), { 'x-api-key': access_token }].map((metadata) => open(metadata));
    for (const [method, request] of methods) {
      const withKey = await grpc.refusal(method, request);
      for (const caller of callers) {
        const { code } = await caller.refusal(method, request);
        expect([method, code]).toEqual([method, withKey.code]);
      }
    }
  });

  it('an access token has the scope of its key, and ends with its session', async () => {
    const sessions = new Sessions(stack, tenant);
    const { access_token } = await sessions.login(await tenant.keyFor('mine'));
    const caller = open(bearer(access_token));
    expect(await caller.call('Dequeue', { queue_name: 'mine', worker_id: 'w' })).toEqual({ jobs: [] });
    const other = await caller.refusal('Dequeue', { queue_name: 'other', worker_id: 'w' });
    expect(other).toEqual(refused('PERMISSION_DENIED', /other/));
    const streams = await openStreams(caller);
    expect((await sessions.as(access_token).post('/auth/logout')).status).toBe(204);
    expect(await caller.refusal('GetJob')).toEqual(refused('UNAUTHENTICATED', /./));
    for (const { end } of streams) expect(await end).toEqual(refused('UNAUTHENTICATED', /./));
  });

  it('streams of an access token end when its key is revoked', async () => {
    const sessions = new Sessions(stack, tenant);
    const key = await tenant.keyFor('mine');
    const { access_token } = await sessions.login(key);
    const streams = await openStreams(open(bearer(access_token)));
    const { status } = await sessions.as(tenant.key).delete(`/api-keys/${await sessions.idOfKey(key)}`);
    expect(status).toBe(204);
    for (const { end } of streams) expect(await end).toEqual(refused('UNAUTHENTICATED', /./));
  });

  it('SP-61 the organization is that of the key; other tenants see nothing', async () => {
    const queue_name = newQueue();
    const { job_id } = await grpc.call('Enqueue', { queue_name, payload: struct({}) });
    const otherTenant = open({ 'x-api-key': (await createTenant(stack.databaseUrls.superuserUrl)).key });
    expect(await otherTenant.call('Dequeue', { queue_name, worker_id: 'w' })).toEqual({ jobs: [] });
    expect(await otherTenant.call('GetQueueStats', { queue_name })).toMatchObject({ total: '0' });
    expect(await otherTenant.call('RenewLease', { job_id, worker_id: 'w' })).toMatchObject({ success: false });
  });
});

describe('workers', () => {
  it('SP-48 register, send heartbeats, drain and deregister', async () => {
    const queue_name = newQueue();
    const registered = await grpc.call('WorkerService/Register', {
      queue_name,
      hostname: 'host-1',
      worker_type: 'node',
      max_concurrency: 5000,
      version: '1.2',
      metadata: { zone: 'a' },
    });
    expect(registered).toEqual({ worker_id: anId, lease_duration_secs: 300, heartbeat_interval_secs: 10 });
    const { worker_id } = registered;
    const rest = new RestCaller(stack.baseUrl, tenant.key);
    expect((await rest.get(`/workers/${worker_id}`)).body).toMatchObject({
      queue_name,
      hostname: 'host-1',
      worker_type: 'node',
      max_concurrency: 100,
      version: '1.2',
      metadata: { zone: 'a' },
    });

    const beat = (status: string) => grpc.call('WorkerService/Heartbeat', { worker_id, status, current_jobs: 3 });
    for (const status of ['', 'nonsense', 'degraded', 'healthy']) {
      expect(await beat(status)).toEqual({ acknowledged: true, should_drain: false });
    }
    for (const status of ['draining', 'healthy']) {
      expect(await beat(status)).toEqual({ acknowledged: true, should_drain: true });
    }

    const { job_id } = await grpc.call('Enqueue', { queue_name });
    const { lease_id } = (await grpc.call('Dequeue', { queue_name, worker_id })).jobs[0];
    expect(await grpc.call('WorkerService/Deregister', { worker_id })).toEqual({ success: true });
    expect((await rest.get(`/workers/${worker_id}`)).body).toMatchObject({ status: 'offline' });
    const { job } = await grpc.call('GetJob', { job_id });
    expect(job).toMatchObject({ status: 'JOB_STATUS_PROCESSING', lease_id });
    expect(await grpc.call('Complete', { job_id, worker_id, lease_id })).toEqual({ success: true });
    const failing = await grpc.call('Enqueue', { queue_name });
    await grpc.call('Dequeue', { queue_name, worker_id });
    await grpc.call('Fail', { job_id: failing.job_id, worker_id, error: 'e' });
    const counters = { jobs_processed: 1, jobs_failed: 1 };
    expect((await rest.get(`/workers/${worker_id}`)).body).toMatchObject(counters);
  });

  it('SP-37 SP-48 keep their status with empty heartbeats, which bring an offline worker back, and drain until they register again', async () => {
    const rest = new RestCaller(stack.baseUrl, tenant.key);
    const worker = { queue_name: newQueue(), hostname: 'h', worker_id: `pod-${newQueue()}`, metadata: { zone: 'a' } };
    const register = () => grpc.call('WorkerService/Register', worker);
    const beat = async (status: string, more: object = {}) => {
      await grpc.call('WorkerService/Heartbeat', { worker_id: worker.worker_id, status, ...more });
      return (await rest.get(`/workers/${worker.worker_id}`)).body.status;
    };
    await register();
    for (const status of ['healthy', 'degraded'])
      expect([await beat(status), await beat('')]).toEqual([status, status]);
    expect([await beat('offline'), await beat('')]).toEqual(['offline', 'healthy']);
    for (const status of ['draining', '', 'healthy', 'degraded']) expect(await beat(status)).toBe('draining');
    const metadata = async () => (await rest.get(`/workers/${worker.worker_id}`)).body.metadata;
    expect(await metadata()).toEqual({ zone: 'a' });
    await beat('', { metadata: { region: 'b' } });
    expect(await metadata()).toEqual({ region: 'b' });
    await register();
    expect(await beat('')).toBe('healthy');
  });

  it('have the default concurrency for zero; unknown workers are reported', async () => {
    const { worker_id } = await grpc.call('WorkerService/Register', { queue_name: 'q', hostname: 'h' });
    const rest = new RestCaller(stack.baseUrl, tenant.key);
    expect((await rest.get(`/workers/${worker_id}`)).body).toMatchObject({ max_concurrency: 5, worker_type: null });
    const scoped = open({ 'x-api-key': await tenant.keyFor('mine') });
    for (const [caller, id] of [
      [grpc, 'unknown'],
      [grpc, 'a\u0000b'],
      [scoped, worker_id],
    ] as const) {
      const unknown = { acknowledged: false, should_drain: false };
      expect(await caller.call('WorkerService/Heartbeat', { worker_id: id })).toEqual(unknown);
      expect(await caller.call('WorkerService/Deregister', { worker_id: id })).toEqual({ success: false });
    }
  });

  it('SP-48 BX-12 may choose their id; registering it again updates the worker, is not charged and ends draining', async () => {
    const capped = await createTenant(stack.databaseUrls.superuserUrl, { customLimits: { max_workers: 1 } });
    const [caller, rest] = [open({ 'x-api-key': capped.key }), new RestCaller(stack.baseUrl, capped.key)];
    const register = (more: object) =>
      caller.call('WorkerService/Register', { queue_name: 'mail', hostname: 'h', worker_id: 'pod-7', ...more });
    const answer = { worker_id: 'pod-7', lease_duration_secs: 300, heartbeat_interval_secs: 10 };
    expect(await register({})).toEqual(answer);
    await caller.call('WorkerService/Heartbeat', { worker_id: 'pod-7', status: 'draining' });
    expect(await register({ hostname: 'moved' })).toEqual(answer);
    expect((await rest.get('/workers/pod-7')).body).toMatchObject({ hostname: 'moved', status: 'healthy' });
    const more = { queue_name: 'mail', hostname: 'h', worker_id: '' };
    expect(await caller.refusal('WorkerService/Register', more)).toEqual(
      refused('RESOURCE_EXHAUSTED', /workers limit reached/),
    );
    // The id belongs to that organization; ours may use the same.
    expect(await grpc.call('WorkerService/Register', { queue_name: 'q', hostname: 'h', worker_id: 'pod-7' })).toEqual(
      answer,
    );
  });

  it.each([
    ['Register', { queue_name: 'q', hostname: 'h', worker_id: 'a b' }, /^Worker ID/],
    ['Register', { queue_name: 'q', hostname: 'h', worker_id: 'x'.repeat(129) }, /^Worker ID/],
    ['Register', { queue_name: 'q', hostname: 'h', worker_type: 'x'.repeat(51) }, /^worker_type/],
    ['Register', { queue_name: 'q', hostname: 'h', version: 'x'.repeat(51) }, /^version/],
    ['Register', { queue_name: 'q', hostname: 'h', metadata: { a: 'x'.repeat(65_536) } }, /^metadata/],
    ['Register', { queue_name: '', hostname: 'h' }, /^Queue name/],
    ['Register', { queue_name: 'q', hostname: '' }, /^Hostname/],
    ['Register', { queue_name: 'q', hostname: 'a b' }, /^Hostname/],
    ['Heartbeat', {}, /^Worker ID/],
    ['Deregister', {}, /^Worker ID/],
  ])('INVALID_ARGUMENT for %s %j', async (method, request, details) => {
    expect(await grpc.refusal(`WorkerService/${method}`, request)).toEqual(refused('INVALID_ARGUMENT', details));
  });
});

describe('services without a credential', () => {
  const here = createRequire(import.meta.url);
  const healthProtos = loadSync(
    join(dirname(here.resolve('grpc-health-check/package.json')), 'proto/health/v1/health.proto'),
    {
      keepCase: true,
      enums: String,
    },
  );
  const reflectionProtos = loadSync(
    join(dirname(here.resolve('@grpc/reflection/package.json')), 'build/proto/grpc/reflection/v1/reflection.proto'),
    { keepCase: true, enums: String, oneofs: true },
  );

  it('SP-44 health: every service is serving, other names are unknown', async () => {
    const probe = open({}, healthProtos);
    for (const service of ['', 'spooled.v1.QueueService', 'spooled.v1.WorkerService', 'spooled.v1.BatchService']) {
      expect(await probe.call('grpc.health.v1.Health/Check', { service })).toEqual({ status: 'SERVING' });
    }
    const unknown = await probe.refusal('grpc.health.v1.Health/Check', { service: 'other' });
    expect(unknown).toMatchObject({ code: 'NOT_FOUND' });
    const watch = probe.serverStream('grpc.health.v1.Health/Watch', { service: '' });
    expect(await watch.next()).toEqual({ status: 'SERVING' });
    watch.stream.cancel();
  });

  it('SP-45 reflection: describes every request', async () => {
    const reflection = open({}, reflectionProtos).duplex('grpc.reflection.v1.ServerReflection/ServerReflectionInfo');
    reflection.stream.write({ list_services: '' });
    const names = (await reflection.next()).list_services_response.service.map(({ name }: Message) => name);
    expect(names.sort()).toEqual([
      'grpc.health.v1.Health',
      'spooled.v1.BatchService',
      'spooled.v1.QueueService',
      'spooled.v1.WorkerService',
    ]);

    reflection.stream.write({ file_containing_symbol: 'spooled.v1.QueueService' });
    const files = (await reflection.next()).file_descriptor_response.file_descriptor_proto as Buffer[];
    reflection.stream.end();
    const described = files.map((bytes) => descriptor.FileDescriptorProto.decode(bytes) as unknown as Message);
    const served = new Set(described.map(({ name }) => name));
    for (const { dependency } of described) for (const needed of dependency) expect(served).toContain(needed);
    const set = descriptor.FileDescriptorSet.create({ file: described });
    const root = (protobuf.Root as unknown as { fromDescriptor(set: unknown): protobuf.Root }).fromDescriptor(set);
    root.resolveAll();
    const lease = root.lookupType('spooled.v1.Job').fields;
    expect(Object.values(lease).map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    expect(root.lookupType('spooled.v1.EnqueueRequest').fields.payload!.resolvedType!.fullName).toBe(
      '.google.protobuf.Struct',
    );
    expect(Object.keys(root.lookupService('spooled.v1.QueueService').methods).length).toBe(9);
  });
});

it('SP-105 gRPC calls are counted, have a request id and are logged like REST requests', async () => {
  await grpc.call('GetJob');
  await open({}).refusal('GetJob');
  const metrics = await stack.metrics('gateway');
  expect(metrics).toMatch(/spooled_api_requests_total\{method="GRPC",status="2xx"\} [1-9]/);
  expect(metrics).toMatch(/spooled_api_requests_total\{method="GRPC",status="4xx"\} [1-9]/);
  await eventually(async () => {
    const lines = (await stack.logs('gateway')).flatMap((text) => (text.startsWith('{') ? [JSON.parse(text)] : []));
    const call = lines.find(({ status, organization_id: id }) => status === 'OK' && id === tenant.organizationId);
    expect(call).toMatchObject({
      method: '/spooled.v1.QueueService/GetJob',
      request_id: expect.any(String),
      duration_ms: expect.any(Number),
      ip: '127.0.0.1',
    });
  });
});
