/** How far back charts look. */
export const periods = [
  { value: 'hour', label: 'Last hour', ms: 3_600_000, refreshMs: 10_000 },
  { value: 'day', label: 'Last day', ms: 86_400_000, refreshMs: 60_000 },
  { value: 'month', label: 'Last 30 days', ms: 30 * 86_400_000, refreshMs: 300_000 },
] as const;

export type Period = (typeof periods)[number]['value'];
export const periodValues: readonly Period[] = periods.map(({ value }) => value);
