import { readFileSync } from 'node:fs';
import { type BenchReport, schemaVersion, type TargetReport } from '../report.js';
import { judge } from '../targets.js';
import { pricedScenarios } from './costs.js';

/**
 * Reads files that contain a report or a list of reports. If several reports contain a scenario or a target, the last one is used, so
 * a repeated measurement replaces the first. What neither the plan nor docs/features.md uses is removed.
 * @throws Error naming a file that is not a report, or a difference between reports that cannot be combined
 */
export function readReports(files: string[]): BenchReport[] {
  const reports = files.flatMap(readFile);
  requireSameConditions(reports);
  const seen = new Set<string>();
  const latestFirst = [...reports].reverse().map((report) => reduce(report, seen));
  return latestFirst.reverse().filter(({ scenarios, targets }) => scenarios.length > 0 || targets.length > 0);
}

/** The content of docs/bench/latest.json. */
export const toJson = (reports: BenchReport[]): string => `${JSON.stringify(reports, null, 2)}\n`;

function readFile(file: string): BenchReport[] {
  const read = parse(file);
  const reports = Array.isArray(read) ? read : [read];
  const unknown = reports.find((report) => report.schemaVersion !== schemaVersion);
  if (unknown) throw new Error(`${file} is not a report of this bench (schemaVersion ${unknown.schemaVersion})`);
  return reports;
}

function parse(file: string): BenchReport | BenchReport[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as BenchReport | BenchReport[];
  } catch (error) {
    throw new Error(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** CPU times are comparable only on the same machine and with the same payload size. */
function requireSameConditions(reports: BenchReport[]): void {
  const conditions = reports.map(({ machine: { cpu, cores }, options }) => ({
    machine: `${cores} × ${cpu}`,
    'payload bytes': options['payload bytes'],
  }));
  for (const name of ['machine', 'payload bytes'] as const) {
    const different = new Set(conditions.map((one) => one[name]));
    if (different.size > 1) throw new Error(`the reports differ in ${name}: ${[...different].join(', ')}`);
  }
}

/** Keeps what is in no later report: priced scenarios that succeeded, and targets that prove promises. Drops rows, and rounds numbers to four digits. */
function reduce(report: BenchReport, seen: Set<string>): BenchReport {
  const wanted = report.scenarios.filter(({ name, failure }) => isPriced(name) && !failure && !seen.has(name));
  for (const { name } of wanted) seen.add(name);
  const scenarios = wanted.map((scenario) => ({
    ...scenario,
    steps: scenario.steps.map((step) => ({ ...step, rows: [], costs: { ...step.costs, cpuSeconds: {} } })),
  }));
  const targets = targetsOf(report).filter(({ name, proves }) => proves.length > 0 && !seen.has(`target ${name}`));
  for (const { name } of targets) seen.add(`target ${name}`);
  return JSON.parse(JSON.stringify({ ...report, scenarios, targets }, toFourDigits)) as BenchReport;
}

/** By the current targets, which an older run did not know. A stored report has no rows any more, but what was found then. */
function targetsOf({ scenarios, targets }: BenchReport): TargetReport[] {
  const judged = judge(scenarios);
  return judged.length > 0 ? judged : targets;
}

const isPriced = (scenario: string): boolean => pricedScenarios.includes(scenario);

const toFourDigits = (_: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;
