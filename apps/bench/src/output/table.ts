import type { Costs, Row, Settings, StepReport } from '../report.js';

const widths = [34, 10, 10, 9, 9, 9, 9, 8];
const headings = ['', 'count', 'per s', 'p50 ms', 'p95 ms', 'p99 ms', 'max ms', 'errors'];
/** Processes that use less CPU per operation than this are not printed. */
const minPrintedMicros = 0.5;

export const heading = (): string => line(headings);

export function describeStep({ name, rows, costs, operations }: StepReport): string[] {
  const lines = rows.flatMap((row) => [line(cellsOf(name, row)), ...errorsOf(row), ...figuresOf(row)]);
  return operations > 0 ? [...lines, `    ${describeCosts(costs)}`] : lines;
}

/** `name value, name value`. */
export const describeSettings = (settings: Settings): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');

/** Formats a number with three significant digits or more. */
export function short(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function cellsOf(step: string, { name, count, rate, latency, errors }: Row): string[] {
  const failed = Object.values(errors).reduce((sum, errorCount) => sum + errorCount, 0);
  const times = latency ? [latency.p50, latency.p95, latency.p99, latency.max].map(short) : ['', '', '', ''];
  return [
    name ? `${step}, ${name}` : step,
    count.toLocaleString('en'),
    short(rate),
    ...times,
    failed ? `${failed}` : '',
  ];
}

const line = (cells: string[]): string =>
  `  ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join(' ')}`.trimEnd();

const errorsOf = ({ errors }: Row): string[] =>
  Object.entries(errors).map(([reason, count]) => `    ${count} failed: ${reason}`);

function figuresOf({ figures }: Row): string[] {
  const texts = Object.entries(figures).map(([name, value]) => `${name} ${short(value)}`);
  return texts.length ? [`    ${texts.join(', ')}`] : [];
}

function describeCosts({ cpuMicrosPerOperation, walBytesPerOperation, redisCommandsPerOperation }: Costs): string {
  const micros = Object.entries(cpuMicrosPerOperation).filter(([, value]) => value >= minPrintedMicros);
  const cpu = micros.sort((a, b) => b[1] - a[1]).map(([name, value]) => `${name} ${short(value)}`);
  return [
    `per operation: ${cpu.length ? `CPU µs ${cpu.join(' ')}` : 'CPU time not available'}`,
    `WAL ${short(walBytesPerOperation)} B`,
    `Redis ${short(redisCommandsPerOperation)} commands`,
  ].join(' · ');
}
