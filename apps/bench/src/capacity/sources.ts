import { readFileSync } from 'node:fs';
import { type BenchReport, schemaVersion } from '../report.js';
import { pricedScenarios } from './costs.js';

/**
 * Reports of the bench from files that hold one or a list of them. Of a scenario that several have, the last one told
 * counts, so a repeated measurement replaces the first. What the plan does not use is left out.
 * @throws Error naming a file that is no report, or reports that cannot be added up
 */
export function readReports(files: string[]): BenchReport[] {
  const reports = files.flatMap(readFile);
  refuseDifferent(reports);
  const seen = new Set<string>();
  const latestFirst = [...reports].reverse().map((report) => thin(report, seen));
  return latestFirst.reverse().filter(({ scenarios }) => scenarios.length > 0);
}

/** As it is kept beside the document. */
export const toFile = (reports: BenchReport[]): string => `${JSON.stringify(reports, null, 2)}\n`;

function readFile(file: string): BenchReport[] {
  const read = parse(file);
  const reports = Array.isArray(read) ? read : [read];
  const stranger = reports.find((report) => report.schemaVersion !== schemaVersion);
  if (stranger) throw new Error(`${file} is no report of this bench (schemaVersion ${stranger.schemaVersion})`);
  return reports;
}

function parse(file: string): BenchReport | BenchReport[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as BenchReport | BenchReport[];
  } catch (error) {
    throw new Error(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** CPU microseconds of one machine mean nothing on another, and a larger payload costs more everywhere. */
function refuseDifferent(reports: BenchReport[]): void {
  const circumstances = reports.map(({ machine: { cpu, cores }, options }) => ({
    machine: `${cores} × ${cpu}`,
    'payload bytes': options['payload bytes'],
  }));
  for (const name of ['machine', 'payload bytes'] as const) {
    const different = new Set(circumstances.map((one) => one[name]));
    if (different.size > 1) throw new Error(`the reports differ in ${name}: ${[...different].join(', ')}`);
  }
}

/** Only scenarios that are priced, did not fail, and that no later report has; of their rows only counts; numbers to four digits. */
function thin(report: BenchReport, seen: Set<string>): BenchReport {
  const wanted = report.scenarios.filter(({ name, failure }) => isPriced(name) && !failure && !seen.has(name));
  for (const { name } of wanted) seen.add(name);
  const scenarios = wanted.map((scenario) => ({
    ...scenario,
    steps: scenario.steps.map((step) => ({ ...step, rows: [], costs: { ...step.costs, cpuSeconds: {} } })),
  }));
  return JSON.parse(JSON.stringify({ ...report, scenarios, targets: [] }, toFourDigits)) as BenchReport;
}

const isPriced = (scenario: string): boolean => pricedScenarios.includes(scenario);

const toFourDigits = (_: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;
