import fc from 'fast-check';
import { contract } from './service-definitions.js';
import { fromStruct, structBytes, toStruct } from './struct.js';
import { fromTimestamp, toTimestamp } from './timestamp.js';

const { requestSerialize, requestDeserialize } = (contract['spooled.v1.QueueService'] as never)['Enqueue'] as {
  requestSerialize(message: object): Buffer;
  requestDeserialize(bytes: Buffer): { payload: never };
};
const object = fc.dictionary(
  fc.string({ unit: 'grapheme' }).filter((name) => name !== '__proto__'),
  fc.jsonValue({ maxDepth: 6, noUnicodeString: false }),
);
const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('documents over gRPC', () => {
  it('arrive as they were sent, integers as integers', () => {
    fc.assert(
      fc.property(object, (sent) => {
        const payload = toStruct(JSON.stringify(sent));
        const arrived = requestDeserialize(requestSerialize({ payload })).payload;
        expect(throughJson(fromStruct(arrived, 'payload'))).toEqual(throughJson(sent));
      }),
    );
  });

  it('never take more bytes than was reckoned', () => {
    fc.assert(
      fc.property(object, (sent) => {
        const payload = toStruct(JSON.stringify(sent));
        expect(requestSerialize({ payload }).length).toBeLessThanOrEqual(structBytes(payload) + 16);
      }),
    );
  });

  it('hold no half of a surrogate pair, which readers would refuse', () => {
    expect(toStruct('{"\\ud800":"\\udfff"}')).toEqual({ fields: { '\ufffd': { stringValue: '\ufffd' } } });
  });
});

describe('times over gRPC', () => {
  it.each([
    ['2026-11-21T12:00:00.123456Z', { seconds: 1795262400, nanos: 123_456_000 }],
    ['2026-11-21T12:00:00Z', { seconds: 1795262400, nanos: 0 }],
    ['1969-12-31T23:59:59.5Z', { seconds: -1, nanos: 500_000_000 }],
  ])('%s', (text, timestamp) => {
    expect(toTimestamp(text)).toEqual(timestamp);
    expect(Date.parse(fromTimestamp(timestamp, 'at')!)).toBe(Date.parse(text));
  });

  it.each([
    { seconds: '-62135596801', nanos: 0 },
    { seconds: '253402300800', nanos: 0 },
    { seconds: '0', nanos: -1 },
    { seconds: '0', nanos: 1e9 },
  ])('refuses %j', (timestamp) => {
    expect(() => fromTimestamp(timestamp, 'scheduled_at')).toThrow(/^scheduled_at/);
  });
});
