import type { Body } from '@spooled/sdk/browser';
import type { Choice } from '../../ui/field';

/** How a pause ends. */
export type PauseEnd = 'resumed' | '900' | '3600' | '14400' | '86400' | 'time';

export const pauseEnds: readonly Choice<PauseEnd>[] = [
  { value: 'resumed', label: 'manually' },
  { value: '900', label: 'automatically in 15 minutes' },
  { value: '3600', label: 'automatically in an hour' },
  { value: '14400', label: 'automatically in 4 hours' },
  { value: '86400', label: 'automatically in a day' },
  { value: 'time', label: 'automatically at a time…' },
];

const longestMs = 30 * 86_400_000;

interface ReadEnd {
  body: Pick<Body<'POST /api/v1/queues/{name}/pause'>, 'durationSeconds' | 'expiresAt'>;
  /** What is wrong with the time; null if nothing is, or if there is none yet. */
  problem: string | null;
}

/** The end as the API takes it. @param time ISO 8601; empty: none was chosen */
export function pauseEndOf(end: PauseEnd, time: string, now: number): ReadEnd {
  if (end === 'resumed') return { body: {}, problem: null };
  if (end !== 'time') return { body: { durationSeconds: Number(end) }, problem: null };
  if (time === '') return { body: {}, problem: null };
  const ms = new Date(time).getTime();
  if (Number.isNaN(ms)) return { body: {}, problem: 'This is not a time.' };
  if (ms <= now) return { body: {}, problem: 'This time is in the past.' };
  if (ms > now + longestMs) return { body: {}, problem: 'This time is more than 30 days ahead.' };
  return { body: { expiresAt: new Date(ms).toISOString() }, problem: null };
}
