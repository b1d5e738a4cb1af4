import type { Latency } from './report.js';

type Limits = readonly [p50: number, p95: number, p99: number];

/** The published latencies (SP-87 to SP-91) in ms, by kind of request. */
export const published: Readonly<Record<string, Limits>> = {
  health: [1, 5, 10],
  enqueue: [5, 20, 50],
  claim: [10, 30, 100],
  complete: [5, 15, 30],
  'list 100': [20, 50, 100],
};

export const isBetter = ({ p50, p95, p99 }: Latency, limits: Limits): boolean =>
  p50 < limits[0] && p95 < limits[1] && p99 < limits[2];
