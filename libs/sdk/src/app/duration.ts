import ms from 'ms';

type Unit = 'ms' | 's' | 'm' | 'h' | 'd' | 'w' | 'second' | 'minute' | 'hour' | 'day' | 'week';
type Plural = 'seconds' | 'minutes' | 'hours' | 'days' | 'weeks';

/** A duration such as `500ms`, `30s`, `5m`, `1.5h` or `3 days`. */
export type Duration = `${number}${'' | ' '}${Unit | Plural}`;

const written = /^\d+(\.\d+)? ?(ms|s|m|h|d|w|(second|minute|hour|day|week)s?)$/;

/**
 * Milliseconds of a duration.
 * @param field its name, for errors
 * @throws TypeError naming the field, for anything but a `Duration`
 */
export function milliseconds(duration: Duration, field: string): number {
  if (typeof duration !== 'string' || !written.test(duration)) {
    throw new TypeError(
      `${field}: must be a duration such as '30s', '5m' or '3 days', not ${JSON.stringify(duration)}`,
    );
  }
  return Math.round(ms(duration as ms.StringValue));
}

/** Whole seconds of a duration. @throws TypeError as `milliseconds`, and below a second */
export function seconds(duration: Duration, field: string): number {
  const value = milliseconds(duration, field) / 1000;
  if (!Number.isInteger(value) || value < 1) throw new TypeError(`${field}: must be whole seconds, not '${duration}'`);
  return value;
}
