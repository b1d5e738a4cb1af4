import { requestLimits } from '@spooled/contracts';
import { SpooledError } from '@spooled/domain';
import protobuf from 'protobufjs';
import { contract, queueService, readRequest, workerService } from './service-definitions.js';
import { toStruct } from './struct.js';

const { grpcFields } = requestLimits;
const { Enqueue } = queueService as never as Record<string, Codec>;
const { Register } = workerService as never as Record<string, Codec>;

interface Codec {
  requestSerialize(message: object): Buffer;
  requestDeserialize(bytes: Buffer): unknown;
}

/** What a message becomes, and the processor's time for that. */
function read({ requestDeserialize }: Codec, bytes: Buffer): { message: unknown; ms: number } {
  const before = process.cpuUsage();
  const message = requestDeserialize(bytes);
  const { user, system } = process.cpuUsage(before);
  return { message, ms: (user + system) / 1000 };
}

const withPayload = (payload: object) =>
  Enqueue!.requestSerialize({ queue_name: 'q', payload: toStruct(JSON.stringify(payload)) });
const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1]));
const tooMany = expect.objectContaining({
  code: 'BAD_REQUEST',
  message: `The request holds more than ${grpcFields} fields`,
});

describe('messages of many fields', () => {
  it.each<[string, (fields: number) => Buffer, Codec]>([
    // The queue's name and the payload take one each.
    ['members of a document', (fields) => withPayload(members((fields - 2) / 4)), Enqueue!],
    ['elements of a list', (fields) => withPayload({ a: Array<number>((fields - 6) / 2).fill(1) }), Enqueue!],
    [
      'entries of a map',
      (fields) => Register!.requestSerialize({ queue_name: 'q', metadata: members((fields - 1) / 3) }),
      Register!,
    ],
    ['fields that nobody knows', (fields) => Buffer.alloc(2 * fields, Buffer.from([0x78, 1])), Enqueue!],
    [
      'the same field again',
      (fields) => Buffer.concat(Array<Buffer>(fields).fill(Buffer.from([0x0a, 1, 0x71]))),
      Enqueue!,
    ],
  ])('are refused above the limit, unread: %s', (_what, bytesOf, codec) => {
    expect(read(codec, bytesOf(grpcFields - 8)).message).not.toBeInstanceOf(SpooledError);
    const { message, ms } = read(codec, bytesOf(3 * grpcFields));
    expect(message).toEqual(tooMany);
    // About 3 ms; reading took 0.3 s.
    expect(ms).toBeLessThan(100);
  });

  it('are counted through all levels, and what is no message is refused', () => {
    const deep = JSON.parse('{"a":'.repeat(40) + JSON.stringify(members(30_000)) + '}'.repeat(40)) as object;
    expect(read(Enqueue!, withPayload(deep)).message).toEqual(tooMany);
    const group = Buffer.from([0x7b, ...Array<number>(200_000).fill(0x08)]);
    const broken = protobuf.Writer.create().uint32(0x12).uint32(4_000_000).finish();
    for (const bytes of [group, Buffer.concat([broken, Buffer.alloc(200_000)])]) {
      expect(read(Enqueue!, bytes).message).toMatchObject({ code: 'BAD_REQUEST' });
    }
  });
});

describe('messages of many bytes', () => {
  const definition = (contract['spooled.v1.QueueService'] as never as Record<string, Codec>).Enqueue!;

  it('are read by the handler as short ones are before', async () => {
    for (const size of [10, 500_000]) {
      const bytes = withPayload({ a: 'x'.repeat(size), b: [1, null, { c: true }] });
      const request = await readRequest(Enqueue!.requestDeserialize(bytes));
      expect(request).toEqual(definition.requestDeserialize(bytes));
    }
  });

  it('are refused when they are broken', async () => {
    const bytes = Buffer.concat([withPayload({ a: 'x'.repeat(500_000) }), Buffer.from([0x12, 0x7f])]);
    const refused = Promise.resolve(Enqueue!.requestDeserialize(bytes)).then(readRequest);
    await expect(refused).rejects.toMatchObject({ code: 'BAD_REQUEST', message: 'The request cannot be read' });
  });
});
