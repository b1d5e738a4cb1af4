import { JsonDocument } from '@spooled/contracts';
import { planLimits } from '@spooled/domain';
import { documentText, utc } from './new-job.js';

const document = (value: unknown) => new JsonDocument(value);

describe('documentText', () => {
  const limits = planLimits('free', {}, { max_payload_size_bytes: 100 });

  it('SP-98 counts bytes of JSON, not characters, and accepts exactly the limit', () => {
    // Two quotes and 49 letters of two bytes each.
    const fits = 'ü'.repeat(49);
    expect(documentText('payload', document(fits), { maxBytes: 1000, limits, byPlan: true })).toBe(`"${fits}"`);
    expect(() => documentText('payload', document(`${fits}x`), { maxBytes: 1000, limits, byPlan: true })).toThrow(
      'payload: 101 bytes exceed the limit of 100 bytes',
    );
  });

  it('limits results by the server setting, not by the plan', () => {
    expect(documentText('result', document('x'.repeat(200)), { maxBytes: 1000, limits, byPlan: false })).toHaveLength(
      202,
    );
    expect(() => documentText('result', document('x'.repeat(999)), { maxBytes: 1000, limits, byPlan: false })).toThrow(
      '1001',
    );
  });
});

describe('utc', () => {
  it.each([
    ['2026-11-21T12:00:00+02:00', '2026-11-21T10:00:00.000Z'],
    ['2026-11-21T10:00:00.123456789Z', '2026-11-21T10:00:00.123Z'],
    [null, null],
    [undefined, null],
  ])('reads %s as %s', (instant, expected) => {
    expect(utc(instant)).toBe(expected);
  });
});
