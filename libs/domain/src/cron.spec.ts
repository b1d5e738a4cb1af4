import { jest } from '@jest/globals';
import fc from 'fast-check';
import { nextRun, parseCron } from './cron.js';
import { SpooledError } from './errors.js';

const next = (expression: string, zone: string, after: string) =>
  nextRun(expression, zone, new Date(after))?.toISOString().replace('.000', '') ?? null;

function runs(expression: string, zone: string, from: string, until: string): string[] {
  const found: string[] = [];
  for (let at = next(expression, zone, from); at !== null && at <= until; at = next(expression, zone, at))
    found.push(at);
  return found;
}

/** A cron field as text, with the numbers it stands for. `max` bounds single numbers, so that every month has the day. */
const field = (min: number, last: number, max = last): fc.Arbitrary<{ text: string; values: number[] }> => {
  const range = (from: number, to: number, step = 1) =>
    Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step);
  const one = fc.integer({ min, max });
  return fc.oneof(
    fc.constant({ text: '*', values: range(min, last) }),
    one.map((n) => ({ text: `${n}`, values: [n] })),
    fc.tuple(one, one).map(([a, b]) => {
      const [low, high] = a < b ? [a, b] : [b, a];
      return { text: `${low}-${high}`, values: range(low, high) };
    }),
    fc.integer({ min: 1, max: max - min + 1 }).map((n) => ({ text: `*/${n}`, values: range(min, last, n) })),
    fc.uniqueArray(one, { minLength: 1, maxLength: 4 }).map((list) => ({ text: list.join(','), values: list })),
  );
};

describe('cron', () => {
  it('is strictly later, and its fields match the local time', () => {
    const fields = fc.tuple(field(0, 59), field(0, 59), field(0, 23), field(1, 31, 28), field(1, 12));
    const zones = fc.constantFrom('UTC', '+05:30', '-03:45', 'Asia/Kolkata');
    const moments = fc.date({
      min: new Date('2020-01-01T00:00:00Z'),
      max: new Date('2035-01-01T00:00:00Z'),
      noInvalidDate: true,
    });
    const offsets: Record<string, number> = { UTC: 0, '+05:30': 330, '-03:45': -225, 'Asia/Kolkata': 330 };
    fc.assert(
      fc.property(fields, zones, moments, ([second, minute, hour, day, month], zone, after) => {
        const text = [second, minute, hour, day, month].map((each) => each.text).join(' ');
        const run = parseCron(`${text} *`, zone).next(after);
        expect(run!.getTime()).toBeGreaterThan(after.getTime());
        const local = new Date(run!.getTime() + offsets[zone]! * 60_000);
        expect(second.values).toContain(local.getUTCSeconds());
        expect(minute.values).toContain(local.getUTCMinutes());
        expect(hour.values).toContain(local.getUTCHours());
        expect(day.values).toContain(local.getUTCDate());
        expect(month.values).toContain(local.getUTCMonth() + 1);
      }),
    );
  });

  it('misses no run in between', () => {
    expect(runs('*/20 9-10 * * *', 'UTC', '2026-11-20T23:00:00Z', '2026-11-21T23:59:00Z')).toEqual(
      ['09:00', '09:20', '09:40', '10:00', '10:20', '10:40'].map((time) => `2026-11-21T${time}:00Z`),
    );
  });

  it('matches either day when both are restricted; 0 and 7 are Sunday', () => {
    expect(runs('0 0 13 * 5', 'UTC', '2026-11-01T00:00:00Z', '2026-11-30T00:00:00Z')).toEqual(
      ['06', '13', '20', '27'].map((day) => `2026-11-${day}T00:00:00Z`),
    );
    expect(next('0 0 1 * 1', 'UTC', '2026-11-28T00:00:00Z')).toBe('2026-11-30T00:00:00Z');
    expect(next('0 0 * * 7', 'UTC', '2026-11-21T00:00:00Z')).toBe(next('0 0 * * 0', 'UTC', '2026-11-21T00:00:00Z'));
  });

  it('skips a local time that spring leaves out', () => {
    expect(next('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z')).toBe('2026-03-30T00:30:00Z');
    expect(runs('*/30 * * * *', 'Europe/Berlin', '2026-03-29T00:00:00Z', '2026-03-29T02:00:00Z')).toEqual(
      ['00:30', '01:00', '01:30', '02:00'].map((time) => `2026-03-29T${time}:00Z`),
    );
    expect(next('0 0 * * *', 'America/Sao_Paulo', '2018-11-03T12:00:00Z')).toBe('2018-11-05T02:00:00Z');
  });

  it('steps through the hour of a clock change by minutes, also with a pattern of seconds', () => {
    const reads = jest.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
    expect(next('* * * * * *', 'Europe/Berlin', '2027-03-28T00:59:59Z')).toBe('2027-03-28T01:00:00Z');
    expect(next('* * * * * *', 'Europe/Berlin', '2027-10-31T01:00:00Z')).toBe('2027-10-31T02:00:00Z');
    expect(reads.mock.calls.length).toBeLessThan(5_000);
    reads.mockRestore();
  });

  it('fires once for a local time that autumn shows twice, whatever moment it starts from', () => {
    expect(runs('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', '2026-10-26T12:00:00Z')).toEqual([
      '2026-10-25T00:30:00Z',
      '2026-10-26T01:30:00Z',
    ]);
    expect(next('30 2 * * *', 'Europe/Berlin', '2026-10-25T01:10:00Z')).toBe('2026-10-26T01:30:00Z');
    expect(runs('0,30 2 * * *', 'Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T12:00:00Z')).toHaveLength(2);
  });

  it('has no next run for a day that no calendar shows', () => {
    expect(next('0 0 30 2 *', 'UTC', '2026-01-01T00:00:00Z')).toBeNull();
    expect(next('0 0 29 2 *', 'UTC', '2026-01-01T00:00:00Z')).toBe('2028-02-29T00:00:00Z');
  });

  it.each([
    '',
    '* * * *',
    '* * * * * * *',
    '*/0 * * * *',
    '60 * * * *',
    '0 24 * * *',
    '0 0 0 * *',
    '0 0 32 * *',
    '0 0 * 13 *',
    '0 0 * * 8',
    '5-3 * * * *',
    '? * * * *',
    '@daily',
    'not a cron at all',
  ])('refuses %p with 400', (expression) => {
    expect(() => parseCron(expression, 'UTC')).toThrow(
      expect.objectContaining({ status: 400, message: expect.stringContaining('cron') }),
    );
  });

  it.each([
    ['* * * *', 'it has 4 fields instead of 5 or 6'],
    ['* * * * * * *', 'it has 7 fields instead of 5 or 6'],
    ['? * * * *', 'unexpected character "?"'],
    ['60 * * * *', 'Invalid value for minute'],
    ['0 0 0 * *', 'Invalid value for day'],
    ['0 0 123 * *', 'Invalid value for day'],
  ])('says what is wrong with %p', (expression, reason) => {
    expect(() => parseCron(expression, 'UTC')).toThrow(
      expect.objectContaining({ message: `Invalid cron expression "${expression}": ${reason}` }),
    );
  });

  it('takes spaces around and between its fields, and offsets up to 23:59', () => {
    expect(next('  30   12 * * * ', 'UTC', '2026-01-01T00:00:00Z')).toBe('2026-01-01T12:30:00Z');
    expect(next('0 0 * * *', '+23:59', '2026-01-01T00:00:00Z')).toBe('2026-01-01T00:01:00Z');
  });

  it('starts from the local time of its zone', () => {
    expect(next('0 12 * * *', '-03:45', '2026-01-01T15:00:00Z')).toBe('2026-01-01T15:45:00Z');
    expect(next('0 12 * * *', '+05:30', '2026-01-01T06:00:00Z')).toBe('2026-01-01T06:30:00Z');
  });

  it('names a time zone that does not exist', () => {
    expect(() => parseCron('* * * * *', 'Mars/Olympus')).toThrow(
      'Invalid timezone for a cron schedule: "Mars/Olympus"',
    );
  });

  it.each(['Mars/Olympus', '', '+0530', '-05', '+25:00', '+5', '05:30', '+05:60'])(
    'refuses the time zone %p with 400',
    (zone) => {
      expect(() => parseCron('* * * * *', zone)).toThrow(SpooledError);
    },
  );
});
