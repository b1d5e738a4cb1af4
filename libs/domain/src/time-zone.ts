/** The UTC offset of a zone at a given time, in milliseconds (east positive). */
export type ZoneOffset = (instantMs: number) => number;

const fixedOffset = /^([+-])(\d{2}):(\d{2})$/;
const minute = 60_000;
const day = 86_400_000;

/** Making a formatter costs about 30 µs and 32 KB, using it 2 µs. Only one spelling of each name is stored, so the map stays small. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** The zone of an IANA name or of `±HH:MM`; null when there is no such zone. */
export function zoneOffset(zone: string): ZoneOffset | null {
  const fixed = fixedOffset.exec(zone);
  if (fixed) return fixedZone(fixed[1] === '-' ? -1 : 1, Number(fixed[2]), Number(fixed[3]));
  // Newer engines take offsets of other spellings for zones; the contract names one spelling.
  if (!/^[A-Za-z]/.test(zone)) return null;
  const formatter = formatterOf(zone);
  return formatter && ((instantMs) => wallClock(formatter, instantMs) - Math.floor(instantMs / 1000) * 1000);
}

/**
 * The moment at which a wall clock shows `wallMs` (a local time written as if it were UTC); null when it never does,
 * in the gap of spring. Of the two moments of autumn it is the first.
 */
export function instantOfWallTime(wallMs: number, offsetAt: ZoneOffset): number | null {
  // The offsets a day before and a day after are the only two that can hold, since no zone changes twice in two days.
  const candidates = [offsetAt(wallMs - day), offsetAt(wallMs + day)]
    .map((offset) => ({ offset, instant: wallMs - offset }))
    .filter(({ offset, instant }) => offsetAt(instant) === offset)
    .map(({ instant }) => instant);
  return candidates.length === 0 ? null : Math.min(...candidates);
}

function fixedZone(sign: number, hours: number, minutes: number): ZoneOffset | null {
  if (hours > 23 || minutes > 59) return null;
  const offset = sign * (hours * 60 + minutes) * minute;
  return () => offset;
}

function formatterOf(zone: string): Intl.DateTimeFormat | null {
  const known = formatters.get(zone);
  if (known) return known;
  try {
    const formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    // Names are valid in any case, so callers could make any number of formatters stay.
    if (formatter.resolvedOptions().timeZone === zone) formatters.set(zone, formatter);
    return formatter;
  } catch {
    return null;
  }
}

function wallClock(formatter: Intl.DateTimeFormat, instantMs: number): number {
  const part: Record<string, number> = {};
  for (const { type, value } of formatter.formatToParts(instantMs)) part[type] = Number(value);
  const { year = 0, month = 1, day: dayOfMonth = 1, hour = 0, minute: minutes = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, dayOfMonth, hour, minutes, second);
}
