const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Minutes east of UTC in the zone of the browser. */
const offsetOf = (ms: number): number => -new Date(ms).getTimezoneOffset();

/** A moment as the browser's field of dates and times has it, to the minute. @param offset minutes east of UTC */
export const fieldText = (ms: number, offset = offsetOf(ms)): string =>
  new Date(ms + offset * minuteMs).toISOString().slice(0, 16);

/**
 * The moments, the earlier one first, that a local time of the browser's zone may mean: two in the hour that the end of daylight saving
 * time repeats. A time that its beginning skips means the one that clocks show instead; a text that is no time means none.
 */
export function momentsOf(text: string): number[] {
  const asUtc = Date.parse(`${text}Z`);
  if (Number.isNaN(asUtc)) return [];
  const offsets = new Set([asUtc - dayMs, asUtc + dayMs].map(offsetOf));
  const found = [...offsets].map((offset) => asUtc - offset * minuteMs).filter((ms) => fieldText(ms) === text);
  return found.length === 0 ? [Date.parse(text)] : found.sort((one, other) => one - other);
}

/** `UTC+02:00` at that moment in the zone of the browser. */
export function offsetText(ms: number): string {
  const offset = offsetOf(ms);
  const part = (minutes: number) => String(minutes).padStart(2, '0');
  const size = Math.abs(offset);
  return `UTC${offset < 0 ? '−' : '+'}${part(Math.floor(size / 60))}:${part(size % 60)}`;
}

/** The zone of the browser, such as `Europe/Berlin`. */
export const browserZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;
