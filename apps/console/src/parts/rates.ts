import { formatCount, formatDuration, formatShort } from '../ui/format';

/** What was counted in the last minute that was sampled; null = unknown. */
type Minute = { created: number; completed: number; failedAttempts: number; coveredSeconds: number } | null;

/** A count of the last minute, always per minute: one unit, so that numbers in a column compare. `–` = unknown. */
export const perMinute = (minute: Minute, member: 'created' | 'completed' | 'failedAttempts'): string =>
  minute === null ? '–' : formatShort(Math.round((minute[member] * 60) / minute.coveredSeconds));

const hourSeconds = 3_600;

/** A count of the last hour, with how much of the hour it covers where something is missing: `140 in 52 min`. */
export const inHour = (count: number, coveredSeconds: number): string =>
  `${formatCount(count)} in ${coveredSeconds >= hourSeconds ? '1 h' : formatDuration(coveredSeconds * 1000)}`;

/** The same as a sentence. */
export const inLastHour = (count: number, coveredSeconds: number): string =>
  coveredSeconds >= hourSeconds
    ? `${formatCount(count)} in the last hour`
    : `${inHour(count, coveredSeconds)} of the last hour`;
