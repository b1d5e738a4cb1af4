import { trendOf } from './trend.js';

const readings = (values: number[]) => values.map((value, i) => ({ at: i / 10, value }));

describe('the trend of readings', () => {
  it('is flat when they fluctuate', () => {
    expect(trendOf(readings([100, 130, 90, 120, 95, 125, 100]))).toMatchObject({ isFlat: true });
    expect(trendOf(readings([5, 5, 5]))).toEqual({ mean: 5, slope: 0, isFlat: true });
  });

  it('is flat when they fall, or grow by less than a tenth', () => {
    expect(trendOf(readings([200, 150, 100]))).toMatchObject({ isFlat: true });
    expect(trendOf(readings([100, 101, 102, 103]))).toMatchObject({ isFlat: true });
  });

  it('is not flat when they grow steadily', () => {
    const trend = trendOf(readings([100, 112, 119, 131, 140]));
    expect(trend.isFlat).toBe(false);
    expect(trend.slope).toBeCloseTo(99, 0);
  });

  it('is not flat when they grow from nothing', () => {
    expect(trendOf(readings([0, 0, 10, 20, 30]))).toMatchObject({ isFlat: false });
  });
});
