import { Cron } from 'croner';
import { badRequest } from './errors.js';
import { instantOfWallTime, zoneOffset } from './time-zone.js';

export interface CronSchedule {
  /** The first run strictly after a given time; null when there is none, as for February 30. */
  next(after: Date): Date | null;
}

/** Characters that croner accepts and the contract does not, above all `?` ("now"). */
const otherCharacters = /[^0-9A-Za-z*,/#\s-]/;

/**
 * Reads a cron expression of 5 fields, or 6 with leading seconds, in an IANA zone or `±HH:MM`.
 * Day of month and day of week both restricted: either matches. Each local time fires once: a time that spring skips
 * does not fire, and of a time that autumn shows twice the first fires. Croner decides on a clock without such edges,
 * because its own rules differ: it moves a fixed time out of the gap, and fires interval patterns twice.
 * @throws SpooledError 400 whose message contains "cron" or "timezone"
 */
export function parseCron(expression: string, timezone: string): CronSchedule {
  const pattern = readPattern(expression);
  const offsetAt = zoneOffset(timezone);
  if (!offsetAt) throw badRequest(`Invalid timezone for a cron schedule: "${timezone}"`);
  return {
    next(after) {
      let wall: Date | null = new Date(after.getTime() + offsetAt(after.getTime()));
      while ((wall = pattern.nextRun(wall))) {
        const instant = instantOfWallTime(wall.getTime(), offsetAt);
        if (instant !== null && instant > after.getTime()) return new Date(instant);
        // Clocks change at whole minutes: with each second of the hour a pattern of seconds would take a second of the process.
        wall.setUTCSeconds(59, 0);
      }
      return null;
    },
  };
}

/** @throws SpooledError 400, see `parseCron` */
export const nextRun = (expression: string, timezone: string, after: Date): Date | null =>
  parseCron(expression, timezone).next(after);

function readPattern(expression: string): Cron {
  const fields = expression.trim().split(/\s+/);
  if (fields.length < 5 || fields.length > 6) {
    throw badRequest(`Invalid cron expression "${expression}": it has ${fields.length} fields instead of 5 or 6`);
  }
  const foreign = otherCharacters.exec(expression);
  if (foreign) throw badRequest(`Invalid cron expression "${expression}": unexpected character "${foreign[0]}"`);
  try {
    return new Cron(fields.join(' '), { timezone: 'UTC', mode: '5-or-6-parts', paused: true });
  } catch (error) {
    throw badRequest(`Invalid cron expression "${expression}": ${reasonOf(error)}`);
  }
}

/** Croner's message without its prefix and without the value, which counts days and months from 0. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/^CronPattern: /, '').replace(/^(Invalid value for \w+): -?\d+$/, '$1');
}
