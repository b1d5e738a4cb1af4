import { CompleteRequest, type Timestamp } from '@spooled/contracts/grpc';
import fc from 'fast-check';
import { documentBytes, toDocument, validDocument } from './documents.js';
import { fromTimestamp, toTimestamp } from './timestamp.js';

const object = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 6, noUnicodeString: false }));
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const encode = (json: string): Uint8Array =>
  CompleteRequest.encode({ job_id: '', worker_id: '', lease_id: '', result: toDocument(json) }).finish();
const throughWire = (json: string) => CompleteRequest.decode(encode(json)).result!;
const nested = (levels: number) => `${'{"a":['.repeat(levels / 2)}1${']}'.repeat(levels / 2)}`;

describe('documents over gRPC', () => {
  it('arrive as they were sent, integers as integers', () => {
    fc.assert(
      fc.property(object, (sent) => {
        expect(plain(validDocument(throughWire(JSON.stringify(sent)), 'payload'))).toEqual(plain(sent));
      }),
    );
  });

  it('keep a member named __proto__', () => {
    const text = '{"__proto__":{"a":1},"constructor":2}';
    expect(JSON.stringify(throughWire(text))).toBe(text);
  });

  it('never take more bytes than was estimated', () => {
    fc.assert(
      fc.property(object, (sent) => {
        const json = JSON.stringify(sent);
        expect(encode(json).length).toBeLessThanOrEqual(documentBytes(toDocument(json)) + 16);
      }),
    );
  });

  it('hold no half of a surrogate pair, which readers would refuse', () => {
    expect(throughWire('{"\\ud800":"\\udfff"}')).toEqual({ '\ufffd': '\ufffd' });
  });

  it('have up to 50 levels, which is what readers of protobuf allow', () => {
    expect(JSON.stringify(throughWire(nested(50)))).toBe(nested(50));
    expect(toDocument(nested(52))).toBeUndefined();
    const deeper = { job_id: '', worker_id: '', lease_id: '', result: JSON.parse(nested(52)) as { a: unknown } };
    expect(() => CompleteRequest.decode(CompleteRequest.encode(deeper).finish())).toThrow('nested too deep');
  });

  it('hold no numbers that JSON does not have', () => {
    for (const number of [Number.NaN, Infinity, -Infinity]) {
      expect(() => validDocument({ a: [{ b: number }] }, 'result')).toThrow(/^result/);
    }
  });
});

describe('times over gRPC', () => {
  it.each<[string, Timestamp]>([
    ['2026-11-21T12:00:00.123456Z', { seconds: 1795262400, nanos: 123_456_000 }],
    ['2026-11-21T12:00:00Z', { seconds: 1795262400, nanos: 0 }],
    ['1969-12-31T23:59:59.5Z', { seconds: -1, nanos: 500_000_000 }],
  ])('%s', (text, timestamp) => {
    expect(toTimestamp(text)).toEqual(timestamp);
    expect(Date.parse(fromTimestamp(timestamp, 'at')!)).toBe(Date.parse(text));
  });

  it.each<Timestamp>([
    { seconds: -62135596801, nanos: 0 },
    { seconds: 253402300800, nanos: 0 },
    { seconds: 0, nanos: -1 },
    { seconds: 0, nanos: 1e9 },
  ])('refuses %j', (timestamp) => {
    expect(() => fromTimestamp(timestamp, 'scheduled_at')).toThrow(/^scheduled_at/);
  });
});
