import type { Series } from './series';

/** What charts can be compared with. */
export const comparisons = [
  { value: 'hour', label: 'An hour ago', ms: 3_600_000 },
  { value: 'day', label: 'A day ago', ms: 86_400_000 },
  { value: 'week', label: 'A week ago', ms: 7 * 86_400_000 },
] as const;

export type Comparison = (typeof comparisons)[number]['value'];
export const comparisonValues: readonly Comparison[] = comparisons.map(({ value }) => value);

export const comparisonOf = (value: Comparison): (typeof comparisons)[number] =>
  comparisons.find((one) => one.value === value)!;

/**
 * The values of an earlier series at the times of a later one. Older steps are longer, so that one of them may stand for several times;
 * null where nothing was kept.
 * @param times milliseconds since the epoch, of the later series
 * @param agoMs how much earlier the other series is
 */
export function valuesBefore(
  past: Pick<Series, 'points' | 'stepSeconds'>,
  values: readonly (number | null)[],
  times: readonly number[],
  agoMs: number,
): (number | null)[] {
  const stepMs = past.stepSeconds * 1_000;
  const starts = past.points.map(({ at }) => Date.parse(at));
  let step = 0;
  return times.map((time) => {
    const at = time - agoMs;
    while (step + 1 < starts.length && starts[step + 1]! <= at) step++;
    const start = starts[step];
    return start !== undefined && start <= at && at < start + stepMs ? values[step]! : null;
  });
}
