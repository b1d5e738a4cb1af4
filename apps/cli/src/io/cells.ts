import type { Style } from './table.js';
import type { Output, Tone } from './output.js';

const tones: Record<string, Tone> = {
  completed: 'green',
  healthy: 'green',
  ok: 'green',
  success: 'green',
  running: 'yellow',
  processing: 'yellow',
  degraded: 'yellow',
  limited: 'yellow',
  waiting: 'yellow',
  draining: 'yellow',
  held: 'yellow',
  deadletter: 'red',
  failed: 'red',
  stopped: 'red',
  offline: 'dim',
  cancelled: 'dim',
};

/** A status in the colour of what it means. */
export const status = (out: Output, text: string): string => {
  const tone = tones[text];
  return tone ? out.tone(tone, text) : text;
};

export const statusStyle =
  (out: Output): Style =>
  (text) =>
    status(out, text);

export const statusColumn = (out: Output) => ({
  text: (row: { status: string }) => row.status,
  style: statusStyle(out),
});

/** A duration in the largest two units: `2 h 5 min`. */
export function took(ms: number | null): string {
  if (ms === null) return '-';
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const total = Math.round(ms / 1_000);
  const parts: [number, string][] = [
    [Math.floor(total / 86_400), 'd'],
    [Math.floor(total / 3_600) % 24, 'h'],
    [Math.floor(total / 60) % 60, 'min'],
    [total % 60, 's'],
  ];
  const first = parts.findIndex(([count]) => count > 0);
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}

/** A count that may have stopped before the end. */
export const counted = ({ count, atLeast }: { count: number; atLeast: boolean }): string =>
  `${count}${atLeast ? '+' : ''}`;
