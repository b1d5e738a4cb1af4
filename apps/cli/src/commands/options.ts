import { InvalidArgumentError, Option } from 'commander';

/** Options that several commands have, and parsers. Each parser throws an error that commander prints with the option's name. */

export const integer =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^-?\d+$/.test(text) || value < least || value > most)
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    return value;
  };

export function share(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1)) throw new InvalidArgumentError('It must be from 0 to 1.');
  return value;
}

export const integers = (text: string): number[] => text.split(',').map((part) => integer(1, 1_000_000)(part.trim()));

/** How many rows a list prints. */
export const limitOption = (usual: number, most = 10_000): Option =>
  new Option('--limit <n>', 'rows at most').argParser(integer(1, most)).default(usual);

export const yesOption = (): Option => new Option('-y, --yes', 'do not ask');

/** Ten years: times stay far from the end of what a date can be. */
const longestSeconds = 3_650 * 86_400;
const seconds = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** A duration such as `90s`, `15m`, `2h` or `1d`, in seconds. */
export function duration(text: string): number {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  if (!count) throw new InvalidArgumentError('It must be a number with s, m, h or d, such as 15m.');
  const value = Number(count) * seconds[unit as keyof typeof seconds];
  if (value > longestSeconds) throw new InvalidArgumentError('It must be at most 3650d.');
  return value;
}

/** A time as RFC 3339. */
export function instant(text: string): string {
  const [, day] = /^(\d{4}-\d\d-\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/i.exec(text) ?? [];
  // A day that a month does not have would become one of the next month.
  const isDay = day !== undefined && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day);
  if (!isDay || Number.isNaN(Date.parse(text)))
    throw new InvalidArgumentError('It must be a time such as 2026-11-24T08:00:00Z.');
  return new Date(text).toISOString();
}

/** A time as RFC 3339, or as an age such as `2h`. */
export const time = (text: string): string =>
  /^\d{1,9}[smhd]$/.test(text) ? new Date(Date.now() - duration(text) * 1000).toISOString() : instant(text);

/** Collects `name=value` of an option that may be repeated. */
export function pairs(text: string, previous: Record<string, string> = {}): Record<string, string> {
  const [name, ...value] = text.split('=');
  if (!name || value.length === 0) throw new InvalidArgumentError('It must be name=value.');
  if (Object.hasOwn(previous, name)) throw new InvalidArgumentError(`"${name}" is given twice.`);
  return { ...previous, [name]: value.join('=') };
}
