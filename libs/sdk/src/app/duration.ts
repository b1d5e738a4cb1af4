import ms from 'ms';

type Unit = 'ms' | 's' | 'm' | 'h' | 'd' | 'w' | 'second' | 'minute' | 'hour' | 'day' | 'week';
type Plural = 'seconds' | 'minutes' | 'hours' | 'days' | 'weeks';

/** A duration such as `500ms`, `30s`, `5m`, `1.5h` or `3 days`. */
export type Duration = `${number}${'' | ' '}${Unit | Plural}`;

const written = /^\d{1,15}(\.\d{1,15})? ?(ms|s|m|h|d|w|(second|minute|hour|day|week)s?)$/;

/** A century. What is later may be no date. */
const longestMs = 36_525 * 86_400_000;

/**
 * Milliseconds of a duration.
 * @param field its name, for errors
 * @throws TypeError naming the field, for anything but a `Duration` of at most a century
 */
export function milliseconds(duration: Duration, field: string): number {
  if (typeof duration !== 'string' || !written.test(duration)) {
    const given = typeof duration === 'string' ? JSON.stringify(duration) : `a ${typeof duration}`;
    throw new TypeError(`${field}: must be a duration such as '30s', '5m' or '3 days', not ${given}`);
  }
  const value = Math.round(ms(duration as ms.StringValue));
  if (value > longestMs) throw new TypeError(`${field}: must be at most 100 years, not '${duration}'`);
  return value;
}

/** Milliseconds of a pause. @throws TypeError as `milliseconds`, and for one that is none */
export function pauseMs(duration: Duration, field: string): number {
  const value = milliseconds(duration, field);
  if (value === 0) throw new TypeError(`${field}: must be longer than 0`);
  return value;
}

/** Whole seconds of a duration. @throws TypeError as `milliseconds`, and below a second */
export function seconds(duration: Duration, field: string): number {
  const value = milliseconds(duration, field) / 1000;
  if (!Number.isInteger(value) || value < 1) throw new TypeError(`${field}: must be whole seconds, not '${duration}'`);
  return value;
}
