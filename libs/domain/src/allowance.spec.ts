import { allowanceOf } from './allowance.js';

const start = Date.parse('2030-01-01T00:00:00Z');

/** How many items a rate allows at these moments, in milliseconds since the start. */
function counts(perSecond: number, moments: number[], most = 1_000): number[] {
  let usedUntil: Date | null = null;
  return moments.map((ms) => {
    const allowed = allowanceOf(perSecond, usedUntil, new Date(start + ms), most);
    usedUntil = allowed.usedUntil;
    return allowed.count;
  });
}
const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);

describe('the allowance of a rate', () => {
  it('BX-06 is one item at once, and the rate after that, however often it is asked', () => {
    expect(counts(10, [0, 100, 200, 250, 300])).toEqual([1, 1, 1, 0, 1]);
    expect(
      sum(
        counts(
          10,
          Array.from({ length: 101 }, (_, i) => i * 100),
        ),
      ),
    ).toBe(101);
    expect(
      sum(
        counts(
          7,
          Array.from({ length: 1001 }, (_, i) => i * 10),
        ),
      ),
    ).toBe(71);
    expect(counts(1, [0, 400, 999, 1000])).toEqual([1, 0, 0, 1]);
  });

  it('BX-06 does not make up for a pause', () => {
    expect(counts(10, [0, 60_000, 60_100])).toEqual([1, 5, 1]);
  });

  it('BX-06 keeps what was not used when fewer items are wanted', () => {
    expect(counts(1_000, [0, 300, 300], 200)).toEqual([1, 200, 100]);
  });
});
