import { duration, instant, pairs, time } from './options.js';

describe('BX-17 a time of an option', () => {
  it.each([
    ['2026-02-28', '2026-02-28T00:00:00.000Z'],
    ['2024-02-29T23:59:59.5Z', '2024-02-29T23:59:59.500Z'],
    ['2026-03-01T00:30:00+02:00', '2026-02-28T22:30:00.000Z'],
  ])('%s is taken', (text, expected) => expect(instant(text)).toBe(expected));

  it.each([
    '2026-02-31',
    '2026-02-29T08:00:00Z',
    '2026-13-01',
    '2026-11-24 nonsense',
    '2026-11-24T25:00:00Z',
    'tomorrow',
  ])('%s is refused, and not moved to another day', (text) =>
    expect(() => instant(text)).toThrow('such as 2026-11-24T08:00:00Z'),
  );

  it('is at most ten years away', () => {
    expect(duration('3650d')).toBe(315_360_000);
    for (const parse of [duration, time]) expect(() => parse('999999999d')).toThrow('at most 3650d');
  });
});

it('BX-17 a name that is given twice is refused', () => {
  expect(pairs('b=2=3', { a: '1' })).toEqual({ a: '1', b: '2=3' });
  expect(() => pairs('a=2', { a: '1' })).toThrow('"a" is given twice');
});
