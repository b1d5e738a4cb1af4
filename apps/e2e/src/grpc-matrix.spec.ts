import { randomUUID } from 'node:crypto';
import type { PackageDefinition } from '@grpc/proto-loader';
import { GrpcCaller, published, type Refusal, struct } from './grpc-caller.js';
import { version11 } from './older-protos.js';
import { publishedRpcs } from './published-rpcs.js';
import { useRest } from './use-rest.js';

/** The response of each RPC in every case except success. Some report missing data with OK. */
interface Row {
  /** A valid request with unknown ids. */
  request: object;
  unknown: Expected;
  /** With a key for other queues. */
  outOfScope: Expected;
  empty: Expected;
}
/** The status, and a part of its details or of the response as JSON. */
type Expected = readonly [code: string, text: string];

const job_id = randomUUID();
const worker_id = 'nobody';
const queue_name = 'other-queue';
const denied = ['PERMISSION_DENIED', queue_name] as const;
const noJob = ['NOT_FOUND', 'not found'] as const;
const noQueue = ['INVALID_ARGUMENT', 'Queue name'] as const;
const noWorker = ['INVALID_ARGUMENT', 'Worker ID'] as const;
const failed = ['OK', '"success":false'] as const;

const rows: Record<string, Row> = {
  'QueueService/Enqueue': {
    request: { queue_name, payload: struct({}) },
    unknown: ['OK', '"created":true'],
    outOfScope: denied,
    empty: noQueue,
  },
  'QueueService/Dequeue': {
    request: { queue_name: `empty-${randomUUID()}`, worker_id },
    unknown: ['OK', '"jobs":[]'],
    outOfScope: ['PERMISSION_DENIED', 'empty-'],
    empty: noQueue,
  },
  'QueueService/Complete': { request: { job_id, worker_id }, unknown: noJob, outOfScope: noJob, empty: noWorker },
  'QueueService/Fail': {
    request: { job_id, worker_id, error: 'x' },
    unknown: noJob,
    outOfScope: noJob,
    empty: noWorker,
  },
  'QueueService/RenewLease': { request: { job_id, worker_id }, unknown: failed, outOfScope: failed, empty: noWorker },
  'QueueService/GetJob': {
    request: { job_id },
    unknown: ['OK', '"job":null'],
    outOfScope: ['OK', '"job":null'],
    empty: ['OK', '"job":null'],
  },
  'QueueService/GetQueueStats': {
    request: { queue_name: 'never-seen' },
    unknown: ['OK', '"total":"0"'],
    outOfScope: ['PERMISSION_DENIED', 'never-seen'],
    empty: noQueue,
  },
  'WorkerService/Register': {
    request: { queue_name, hostname: 'host-1' },
    unknown: ['OK', '"lease_duration_secs"'],
    outOfScope: denied,
    empty: noQueue,
  },
  'WorkerService/Heartbeat': {
    request: { worker_id },
    unknown: ['OK', '"acknowledged":false'],
    outOfScope: ['OK', '"acknowledged":false'],
    empty: noWorker,
  },
  'WorkerService/Deregister': { request: { worker_id }, unknown: failed, outOfScope: failed, empty: noWorker },
  'BatchService/EnqueueMany': {
    request: { queue_name, jobs: [{ payload: Buffer.from('{}') }] },
    unknown: ['OK', '"created":true'],
    outOfScope: denied,
    empty: ['INVALID_ARGUMENT', 'jobs'],
  },
  'BatchService/SettleMany': {
    request: { worker_id, settlements: [{ job_id, lease_id: job_id, complete: {} }] },
    unknown: ['OK', '"code":"NOT_FOUND"'],
    outOfScope: ['OK', '"code":"NOT_FOUND"'],
    empty: noWorker,
  },
};

/** The unary methods of the published proto files, as `Service/Method`. */
const methods = publishedRpcs(({ requestStream, responseStream }) => !requestStream && !responseStream);

const { stack, tenant } = useRest();
const callers: GrpcCaller[] = [];

afterAll(async () => {
  for (const caller of callers) caller.close();
});

function callerFrom(protos: PackageDefinition, metadata: Record<string, string>): GrpcCaller {
  const caller = new GrpcCaller(stack.grpcAddresses[0]!, metadata, protos);
  callers.push(caller);
  return caller;
}

/** Calls every method, and lists those with another response. */
async function differences(
  caller: GrpcCaller,
  { request, response }: { request: (row: Row) => object; response: (row: Row) => Expected },
): Promise<string[]> {
  const found: string[] = [];
  for (const [method, row] of Object.entries(rows)) {
    if (!caller.knows(method)) continue;
    const { code, details }: Refusal = await caller.refusal(method, request(row));
    const [wanted, text] = response(row);
    if (code !== wanted || !details.includes(text)) found.push(`${method}: ${code} ${details}, not ${wanted} ${text}`);
  }
  return found;
}

const ownRequest = { request: (row: Row) => row.request };

describe.each([
  ['the current proto files', published],
  ['the proto files of SDKs up to 1.1', version11],
])('BX-05 every unary RPC, called with %s', (_, protos) => {
  const callerWith = (metadata: Record<string, string>) => callerFrom(protos, metadata);

  it('SP-47 SP-48 of the proto files is tested here', () => {
    expect(Object.keys(rows).sort()).toEqual(methods.sort());
  });

  it('SP-68 UNAUTHENTICATED without a key, with an unknown key and with a token', async () => {
    const credentials: Record<string, string>[] = [
      {},
      { 'x-api-key': '' },
      { 'x-api-key': 'nonsense' },
      { 'x-api-key': 'sk_live_0123456789abcdefghijklmnopqrstuv' },
      { authorization: 'Bearer sk_live_0123456789abcdefghijklmnopqrstuv' },
      { authorization: 'Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl' },
    ];
    const response = () => ['UNAUTHENTICATED', 'Invalid'] as const;
    for (const metadata of credentials) {
      expect(await differences(callerWith(metadata), { ...ownRequest, response })).toEqual([]);
    }
  });

  it('SP-20 accepts the key as x-api-key and as a bearer token, and responds for unknown ids', async () => {
    const credentials: Record<string, string>[] = [
      { 'x-api-key': tenant.key },
      { authorization: `Bearer ${tenant.key}` },
    ];
    for (const metadata of credentials) {
      const caller = callerWith(metadata);
      expect(await differences(caller, { ...ownRequest, response: ({ unknown }) => unknown })).toEqual([]);
    }
  });

  it('SP-68 PERMISSION_DENIED for queues outside the scope of a key; their jobs and workers are unknown', async () => {
    const caller = callerWith({ 'x-api-key': await tenant.keyFor('only-this') });
    expect(await differences(caller, { ...ownRequest, response: ({ outOfScope }) => outOfScope })).toEqual([]);
  });

  it('SP-14 an empty message is rejected with the name of the missing field', async () => {
    const caller = callerWith({ 'x-api-key': tenant.key });
    expect(await differences(caller, { request: () => ({}), response: ({ empty }) => empty })).toEqual([]);
  });

  it('SP-14 INVALID_ARGUMENT for invalid queue and host names', async () => {
    const caller = callerWith({ 'x-api-key': tenant.key });
    for (const method of ['Enqueue', 'Dequeue', 'GetQueueStats', 'WorkerService/Register']) {
      const message = { queue_name: 'no spaces!', worker_id, hostname: 'h', payload: struct({}) };
      const refusal = await caller.refusal(method, message);
      expect({ method, ...refusal }).toMatchObject({ method, code: 'INVALID_ARGUMENT' });
      expect(refusal.details).toContain('alphanumeric');
    }
    const host = await caller.refusal('WorkerService/Register', { queue_name, hostname: '-no-' });
    expect(host).toEqual({ code: 'INVALID_ARGUMENT', details: expect.stringContaining('Hostname') });
  });
});
