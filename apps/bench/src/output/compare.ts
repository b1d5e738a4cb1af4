import type { Row, StepReport } from '../report.js';
import { short } from './table.js';

/** Compares rates and latencies of the rows that two steps have in common. */
export function compareSteps(before: StepReport, after: StepReport): string[] {
  const shared = before.rows.flatMap((row) => {
    const other = after.rows.find(({ name }) => name === row.name);
    return other ? [compareRows(row, other)] : [];
  });
  return [`  ${before.name} → ${after.name}`, ...shared];
}

function compareRows(before: Row, after: Row): string {
  const parts = [`per s ${change(before.rate, after.rate)}`];
  if (before.latency && after.latency) {
    parts.push(`p50 ${change(before.latency.p50, after.latency.p50)} ms`);
    parts.push(`p99 ${change(before.latency.p99, after.latency.p99)} ms`);
  }
  return `    ${(before.name || 'all').padEnd(14)} ${parts.join(', ')}`;
}

const change = (before: number, after: number): string =>
  `${short(before)} → ${short(after)} (× ${before > 0 ? (after / before).toFixed(2) : '–'})`;
