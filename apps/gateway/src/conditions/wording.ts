import type { figureSchemas } from '@spooled/contracts';
import { countBound } from '@spooled/data-access';

/** A number that is exact, or a count that may have ended at its bound. */
type Count = number | figureSchemas.BoundedCount;

/** A count of a statement that stops at `countBound`. */
export const boundedBy = (count: number): figureSchemas.BoundedCount =>
  count >= countBound ? { count: countBound - 1, at_least: true } : { count, at_least: false };

/** A count in words: `1,204`, `more than 10,000`, `at least 12`, or `an unknown number`. */
export function counted(one: Count): string {
  const { count, at_least: isLeast } = typeof one === 'number' ? { count: one, at_least: false } : one;
  const text = count.toLocaleString('en-US');
  if (!isLeast) return text;
  if (count === 0) return 'an unknown number';
  return count < countBound - 1 ? `at least ${text}` : `more than ${text}`;
}

/** A count with its noun: `1 job`, `1,204 jobs`. */
export const plural = (count: Count, noun: string): string =>
  `${counted(count)} ${noun}${counted(count) === '1' ? '' : 's'}`;

/** A time as sentences name it, in whole seconds. */
export const at = (time: string): string => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');

const units: [name: string, seconds: number][] = [
  ['days', 86_400],
  ['h', 3_600],
  ['min', 60],
];

/** A duration in the largest unit of which it has at least two: `90 s`, `2 min`. */
export function duration(seconds: number): string {
  const unit = units.find(([, size]) => seconds >= 2 * size);
  return unit ? `${Math.floor(seconds / unit[1])} ${unit[0]}` : `${Math.max(0, Math.round(seconds))} s`;
}

/** The last hour as sentences name it, with how much of it is known. */
export const lastHour = ({ covered_seconds: covered }: { covered_seconds: number }): string =>
  covered >= 3_600 ? 'the last hour' : `the ${duration(covered)} of the last hour that are known`;

/** A duration in milliseconds, as `duration`; below two seconds as `350 ms`. */
export const milliseconds = (ms: number): string => (ms < 2_000 ? `${Math.round(ms)} ms` : duration(ms / 1_000));

/** The time `ms` after another one. */
export const later = (time: string, ms: number): string => new Date(Date.parse(time) + ms).toISOString();
