const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });
const fraction = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });

/** 12,345 */
export const formatCount = (count: number): string => whole.format(count);

/** A count that ends at a bound. */
export interface BoundedCount {
  count: number;
  /** There may be more. */
  atLeast: boolean;
}

/** What counts of the server end at. */
const countedTo = 10_000;

/** 12,345, or `over 10,000` for a count that ended at its bound; `at least 12` and `unknown` for one that is less than its bound. */
export function formatBounded({ count, atLeast }: BoundedCount): string {
  if (!atLeast) return formatCount(count);
  if (count === 0) return 'unknown';
  return `${count < countedTo ? 'at least' : 'over'} ${formatCount(count)}`;
}

export const sumOf = (...counts: readonly BoundedCount[]): BoundedCount => ({
  count: counts.reduce((sum, { count }) => sum + count, 0),
  atLeast: counts.some(({ atLeast }) => atLeast),
});

/** The end of an id tells things apart: the beginning is the time of creation. */
export const shortId = (id: string): string => `…${id.slice(-8)}`;

/** 1 job, 12,345 jobs, over 10,000 jobs */
export const formatJobs = (count: number, atLeast = false): string =>
  `${formatBounded({ count, atLeast })} ${count === 1 && !atLeast ? 'job' : 'jobs'}`;

/** A count of a preview, `12 jobs`, or `more than 12 jobs` where it ended at its bound. */
export const formatFound = (
  { count, hasMore }: { count: number; hasMore: boolean },
  format: (count: number) => string = formatJobs,
): string => `${hasMore ? 'more than ' : ''}${format(count)}`;

export const formatDeliveries = (count: number): string =>
  `${formatCount(count)} ${count === 1 ? 'delivery' : 'deliveries'}`;

/** 12.3K; exact below ten thousand. */
export const formatShort = (count: number): string => (count < 10_000 ? whole.format(count) : short.format(count));

/** `12 %` of a share from 0 to 1; `<1 %` of less that is not zero. */
export const formatShare = (share: number): string =>
  share > 0 && share < 0.01 ? '<1 %' : `${whole.format(Math.floor(share * 100))} %`;

/** Jobs per second, minute or hour: the unit in which the number is easy to read. */
export function formatRate(perHour: number): string {
  if (perHour === 0) return '0/h';
  if (perHour >= 3600) return `${fraction.format(perHour / 3600)}/s`;
  if (perHour >= 60) return `${fraction.format(perHour / 60)}/min`;
  return `${fraction.format(perHour)}/h`;
}

const exact = new Intl.NumberFormat('en', { maximumSignificantDigits: 15 });

/** A limit in jobs per second, as it was set: 0.5/s. */
export const formatPerSecond = (limit: number): string => `${exact.format(limit)}/s`;

const units: [string, number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
];

/** 2 h 5 min, 3.2 s, 14 ms: the two largest units. */
export function formatDuration(ms: number): string {
  if (ms < 0) return `−${formatDuration(-ms)}`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  const index = units.findIndex(([, size]) => ms >= size);
  const [name, size] = units[index]!;
  const amount = Math.floor(ms / size);
  const next = units[index + 1];
  const rest = next ? Math.floor((ms - amount * size) / next[1]) : 0;
  return next && rest > 0 ? `${amount} ${name} ${rest} ${next[0]}` : `${amount} ${name}`;
}

/** The same of what may be unknown. */
export const durationOf = (ms: number | null): string => (ms === null ? '–' : formatDuration(ms));

export interface AxisFormat {
  /** Possible distances of two marks. Default: decimal numbers. */
  steps?: number[];
  labels(values: readonly number[]): string[];
}

export const countAxis: AxisFormat = { labels: (values) => values.map(formatShort) };

/** Jobs per second, all in the unit of the highest mark. */
export const rateAxis: AxisFormat = {
  labels: (values) => {
    const highest = Math.max(0, ...values);
    const [name, perSecond] = highest >= 1 ? ['s', 1] : highest >= 1 / 60 ? ['min', 60] : ['h', 3_600];
    return values.map((value) => `${axisNumber.format(value * Number(perSecond))}/${name}`);
  },
};
const axisNumber = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

/** Milliseconds, all in the largest unit of which the marks are whole numbers. */
export const durationAxis: AxisFormat = {
  steps: [
    ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
    ...[1, 2, 5, 10, 30].map((seconds) => seconds * 1_000),
    ...[1, 2, 5, 10, 30].map((minutes) => minutes * 60_000),
    ...[1, 2, 6, 12].map((hours) => hours * 3_600_000),
    ...[1, 2, 5, 10, 20, 50].map((days) => days * 86_400_000),
  ],
  labels: (values) => {
    const step = (values[1] ?? 0) - (values[0] ?? 0);
    const [name, size] = units.find(([, one]) => step > 0 && step % one === 0) ?? ['ms', 1];
    return values.map((value) => `${whole.format(value / size)} ${name}`);
  },
};

const clock = {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
} as const;
const timeOnly = new Intl.DateTimeFormat('en-GB', clock);
const dayAndTime = new Intl.DateTimeFormat('en-GB', { ...clock, year: 'numeric', month: 'short', day: 'numeric' });

const isSameDay = (one: Date, other: Date): boolean => one.toDateString() === other.toDateString();

/** The time in the zone of the browser, with the zone, and with the day unless it is today. */
export const formatTime = (at: Date, now = new Date()): string =>
  (isSameDay(at, now) ? timeOnly : dayAndTime).format(at);

/** `3 min ago`, `in 2 h`. */
export function formatRelative(at: number, now: number): string {
  const distance = Math.abs(at - now);
  if (distance < 1_000) return 'now';
  const [name, size] = units.find(([, one]) => distance >= one) ?? units.at(-1)!;
  const text = `${Math.floor(distance / size)} ${name}`;
  return at < now ? `${text} ago` : `in ${text}`;
}

const byteUnits = ['KiB', 'MiB', 'GiB', 'TiB'];

/** 512 B, 64 KiB, 1.5 MiB. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${whole.format(bytes)} B`;
  const power = Math.min(byteUnits.length, Math.floor(Math.log2(bytes) / 10));
  return `${short.format(bytes / 1024 ** power)} ${byteUnits[power - 1]}`;
}

/** The parts of a text that are not empty. */
export const partsOf = (text: string, separator: string): string[] =>
  text.split(separator).flatMap((part) => part.trim() || []);

/** Whether a text has a part, in letters of any case. */
export const contains = (text: string, part = ''): boolean => text.toLowerCase().includes(part.toLowerCase());

/** A name that callers chose; null if nothing of it can be seen, such as only spaces or marks of direction. */
export const visibleName = (name: string | null): string | null =>
  name !== null && /[\p{L}\p{N}\p{P}\p{S}]/u.test(name) ? name : null;

/** A name that callers chose, as the text of a link; the code points of one of which nothing can be seen. */
export const linkText = (name: string): string =>
  visibleName(name) ?? Array.from(name, (character) => `U+${codePointOf(character)}`).join(' ');

const codePointOf = (character: string): string =>
  character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
