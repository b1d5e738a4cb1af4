import type { Latency } from './report.js';

type Limits = readonly [p50: number, p95: number, p99: number];

/** The published latencies in ms, by kind of request, each with the id of its row in docs/features.md. */
export const published: Readonly<Record<string, { limits: Limits; promise: string }>> = {
  health: { limits: [1, 5, 10], promise: 'SP-87' },
  enqueue: { limits: [5, 20, 50], promise: 'SP-88' },
  claim: { limits: [10, 30, 100], promise: 'SP-89' },
  complete: { limits: [5, 15, 30], promise: 'SP-90' },
  'list 100': { limits: [20, 50, 100], promise: 'SP-91' },
};

export const isBetter = ({ p50, p95, p99 }: Latency, limits: Limits): boolean =>
  p50 < limits[0] && p95 < limits[1] && p99 < limits[2];
