import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { requestLimits } from '@spooled/contracts';
import { EnqueueRequest, RegisterWorkerRequest } from '@spooled/contracts/grpc';
import { SpooledError } from '@spooled/domain';
import { queueService, workerService } from './service-definitions.js';

const { grpcFields } = requestLimits;
const enqueue = queueService.enqueue!.requestDeserialize;
const register = workerService.register!.requestDeserialize;

type Deserialize = (bytes: Buffer) => unknown;

/** What a message becomes, and the processor's time for that. */
function read(deserialize: Deserialize, bytes: Uint8Array): { message: unknown; ms: number } {
  const before = process.cpuUsage();
  const message = deserialize(Buffer.from(bytes));
  const { user, system } = process.cpuUsage(before);
  return { message, ms: (user + system) / 1000 };
}

/** The least of several measurements: each includes what the garbage collector's threads do in the meantime. */
const leastMs = (deserialize: Deserialize, bytes: Uint8Array): number =>
  Math.min(...Array.from({ length: 5 }, () => read(deserialize, bytes).ms));

/** With the queue's name, the payload and no other field. */
const withPayload = (payload: EnqueueRequest['payload']) => {
  const unset = { priority: 0, max_retries: 0, timeout_seconds: 0, idempotency_key: '', tags: {} };
  return EnqueueRequest.encode({ ...unset, queue_name: 'q', payload }).finish();
};
const withMetadata = (metadata: Record<string, string>) => {
  const unset = { hostname: '', worker_type: '', max_concurrency: 0, version: '' };
  return RegisterWorkerRequest.encode({ ...unset, queue_name: 'q', metadata }).finish();
};
const members = <T>(count: number, value: T): Record<string, T> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, value]));
const tooMany = expect.objectContaining({
  code: 'BAD_REQUEST',
  message: `The request holds more than ${grpcFields} fields`,
});

describe('messages of many fields', () => {
  it.each<[string, (fields: number) => Uint8Array, Deserialize]>([
    // The queue's name and the payload take one each.
    ['members of a document', (fields) => withPayload(members((fields - 2) / 4, 1)), enqueue],
    ['elements of a list', (fields) => withPayload({ a: Array<number>((fields - 6) / 2).fill(1) }), enqueue],
    ['entries of a map', (fields) => withMetadata(members((fields - 1) / 3, '1')), register],
    ['unknown fields', (fields) => Buffer.alloc(2 * fields, Buffer.from([0x78, 1])), enqueue],
    [
      'the same field again',
      (fields) => Buffer.concat(Array<Buffer>(fields).fill(Buffer.from([0x0a, 1, 0x71]))),
      enqueue,
    ],
  ])('are refused above the limit, unread: %s', (_what, bytesOf, deserialize) => {
    expect(read(deserialize, bytesOf(grpcFields - 8)).message).not.toBeInstanceOf(SpooledError);
    const bytes = bytesOf(3 * grpcFields);
    expect(read(deserialize, bytes).message).toEqual(tooMany);
    // About 3 ms; reading took 0.3 s.
    expect(leastMs(deserialize, bytes)).toBeLessThan(100);
  });

  it('are counted through all levels, and what is no message is refused', () => {
    const deep = JSON.parse('{"a":'.repeat(40) + JSON.stringify(members(30_000, 1)) + '}'.repeat(40)) as object;
    expect(read(enqueue, withPayload({ ...deep })).message).toEqual(tooMany);
    const group = Buffer.from([0x7b, ...Array<number>(200_000).fill(0x08)]);
    const broken = new BinaryWriter().tag(2, WireType.LengthDelimited).uint32(4_000_000).finish();
    for (const bytes of [group, Buffer.concat([broken, Buffer.alloc(200_000)])]) {
      expect(read(enqueue, bytes).message).toMatchObject({ code: 'BAD_REQUEST' });
    }
  });
});
