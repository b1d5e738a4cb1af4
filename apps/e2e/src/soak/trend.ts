/** One reading of a quantity. */
export interface Reading {
  /** Hours since the beginning. */
  at: number;
  value: number;
}

export interface Trend {
  mean: number;
  /** Least squares, per hour. */
  slope: number;
  /** False if it grows: by more than a tenth of its mean over the readings, and more steadily than it fluctuates. */
  isFlat: boolean;
}

const mostGrowth = 0.1;
/** Share of the variance that a straight line explains. */
const leastSteadiness = 0.5;

/** The trend of at least two readings. */
export function trendOf(readings: readonly Reading[]): Trend {
  const mean = average(readings.map(({ value }) => value));
  const middle = average(readings.map(({ at }) => at));
  const sum = (of: (reading: Reading) => number) => readings.reduce((total, reading) => total + of(reading), 0);
  const byTime = sum(({ at, value }) => (at - middle) * (value - mean));
  const ofTime = sum(({ at }) => (at - middle) ** 2);
  const ofValue = sum(({ value }) => (value - mean) ** 2);
  if (ofTime === 0 || ofValue === 0) return { mean, slope: 0, isFlat: true };
  const slope = byTime / ofTime;
  const growth = slope * (readings.at(-1)!.at - readings[0]!.at);
  const steadiness = byTime ** 2 / (ofTime * ofValue);
  return { mean, slope, isFlat: growth <= mostGrowth * mean || steadiness < leastSteadiness };
}

const average = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
