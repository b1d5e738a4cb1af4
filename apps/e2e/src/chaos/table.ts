import { type Observation, percentile } from './observation.js';

/** The columns of `cellsOf`. */
export const tableHead = [
  'fault',
  'runs',
  'acknowledged',
  'lost',
  'duplicates',
  're-claim p50/p99 ms',
  'first success ms',
  'throughput kept',
  'after',
  'back s',
  'errors',
];

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
const share = (part: number, whole: number): string => (whole === 0 ? '–' : `${Math.round((100 * part) / whole)} %`);
const shown = (value: number | null): string => (value === null ? '–' : String(Math.round(value)));
const worst = (values: (number | null)[]): number | null =>
  values.includes(null) ? null : Math.max(...(values as number[]));

/** One row: what a fault, or a pair of them, has shown in all of its runs. */
export function cellsOf(fault: string, runs: readonly Observation[]): string[] {
  const rules = runs.flatMap(({ violations }) => violations.map(({ rule }) => rule));
  const reclaims = runs.flatMap((run) => run.reclaims);
  const rates = runs.map(({ throughput }) => throughput);
  const before = sum(rates.map((rate) => rate.before));
  const back = worst(runs.map(({ recovered }) => recovered));
  return [
    fault,
    String(runs.length),
    String(sum(runs.map(({ acknowledged }) => acknowledged))),
    String(rules.filter((rule) => rule === 'nothingLost').length),
    String(rules.filter((rule) => rule === 'acceptedOnce').length),
    `${shown(percentile(reclaims, 0.5))}/${shown(percentile(reclaims, 0.99))}`,
    shown(worst(runs.map(({ firstSuccess }) => firstSuccess))),
    share(sum(rates.map(({ during }) => during)), before),
    share(sum(rates.map(({ after }) => after)), before),
    back === null ? '–' : back.toFixed(1),
    errorsOf(runs),
  ];
}

function errorsOf(runs: readonly Observation[]): string {
  const counts = new Map<string, number>();
  for (const [kind, count] of runs.flatMap(({ errors }) => [...errors]))
    if (kind !== 'ok') counts.set(kind, (counts.get(kind) ?? 0) + count);
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
  return sorted.map(([kind, count]) => `${count} × ${kind}`).join(', ') || 'none';
}
