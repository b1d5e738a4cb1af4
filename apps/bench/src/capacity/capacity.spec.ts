import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { jest } from '@jest/globals';
import type { BenchReport, Row } from '../report.js';
import { assumptions } from './assumptions.js';
import { blocksFrom } from './blocks.js';
import { capacity, documentFile, sourceFile } from './capacity.js';
import { type Costs, costsOf, operations, processes } from './costs.js';
import { fillIn } from './markdown.js';
import { singles } from './mixes.js';
import { planFor } from './plan.js';
import { readReports } from './sources.js';

const folder = mkdtempSync(join(tmpdir(), 'spooled-capacity-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The stored reports merged into one. */
function storedReport(): BenchReport {
  const reports = JSON.parse(readFileSync(sourceFile, 'utf8')) as BenchReport[];
  return { ...reports[0]!, scenarios: reports.flatMap(({ scenarios }) => scenarios), targets: [] };
}

/** Writes a modified copy of the stored report. */
function fileOf(name: string, change: (report: BenchReport) => void): string {
  const report = storedReport();
  change(report);
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(report));
  return file;
}

const keepOnly = (report: BenchReport, scenario: string): void =>
  void (report.scenarios = report.scenarios.filter(({ name }) => name === scenario));

/** Costs in which every operation takes `micros` in every process. */
function costsAt(micros: number): Costs {
  const cost = {
    micros: Object.fromEntries(processes.map((name) => [name, micros])),
    walBytes: 1_000,
    redisCommands: 2,
    step: '',
    perSecond: 1,
  };
  return Object.fromEntries(Object.keys(operations).map((name) => [name, cost])) as unknown as Costs;
}

/** Runs the command in `root`, on a copy of the document. */
function run(root: string, argv: string[]): { code: number; errors: string } {
  const file = join(root, documentFile);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, readFileSync(documentFile));
  let errors = '';
  const out = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  const err = jest.spyOn(process.stderr, 'write').mockImplementation((text) => ((errors += String(text)), true));
  try {
    return { code: capacity(root, argv), errors };
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}

describe('docs/capacity.md', () => {
  it('SP-92 SP-93 SP-94 SP-95 matches the stored report', () => {
    const reports = readReports([sourceFile]);
    const page = readFileSync(documentFile, 'utf8');
    expect(page).toBe(fillIn(page, blocksFrom(reports, costsOf(reports), assumptions)));
  });

  it('is updated from another report, and again from the reduced report that was stored', () => {
    const root = mkdtempSync(join(folder, 'root-'));
    const costlier = fileOf('costlier.json', ({ scenarios }) => {
      for (const { costs } of scenarios.flatMap(({ steps }) => steps)) costs.cpuMicrosPerOperation.gateway! *= 10;
    });
    expect(run(root, [costlier, '--write'])).toEqual({ code: 0, errors: '' });
    const written = readFileSync(join(root, documentFile), 'utf8');
    expect(written).not.toBe(readFileSync(documentFile, 'utf8'));
    expect(run(root, ['--write'])).toEqual({ code: 0, errors: '' });
    expect(readFileSync(join(root, documentFile), 'utf8')).toBe(written);
  });
});

describe('npm run capacity', () => {
  it('names the scenario that no report contains', () => {
    const file = fileOf('post-only.json', (report) => keepOnly(report, 'post'));
    expect(run(folder, [file])).toEqual({
      code: 1,
      errors: 'no report measured health: npm run bench -- --only health\n',
    });
  });

  it('names a file that is not a report', () => {
    const notes = join(folder, 'notes.json');
    writeFileSync(notes, '{}');
    expect(run(folder, [notes])).toEqual({ code: 1, errors: expect.stringContaining(`${notes} is not a report`) });
    const missing = join(folder, 'missing.json');
    expect(run(folder, [missing])).toEqual({
      code: 1,
      errors: expect.stringContaining(`${missing} cannot be read: ENOENT`),
    });
    expect(run(folder, ['--wirte']).code).toBe(2);
  });

  it('uses the last report that contains a scenario, except failed runs', () => {
    const again = fileOf('again.json', (report) => {
      keepOnly(report, 'health');
      for (const { costs } of report.scenarios[0]!.steps) costs.cpuMicrosPerOperation.gateway = 77;
    });
    const failed = fileOf('failed.json', (report) => {
      keepOnly(report, 'health');
      report.scenarios[0]!.failure = 'the gateway ended';
    });
    const reports = readReports([fileOf('first.json', () => undefined), again, failed]);
    expect(costsOf(reports).health.micros.gateway).toBe(77);
    expect(reports.map(({ scenarios }) => scenarios.some(({ name }) => name === 'health'))).toEqual([false, true]);
  });

  it('keeps the last figure of each promise, judged by the targets of today', () => {
    const measured = (name: string, rate: number) =>
      fileOf(name, (report) => {
        const window = report.scenarios.find((one) => one.name === 'cycle-rest')!;
        const steps = [{ ...window.steps[0]!, name: 'whole cycle', rows: [{ rate, figures: {} } as Row] }];
        report.scenarios = [{ ...window, steps }];
      });
    const reports = readReports([sourceFile, measured('fast.json', 12_000), measured('slow.json', 9_000)]);
    const found = reports.flatMap(({ targets }) => targets);
    const cycles = found.filter(({ name }) => name === 'whole cycles of one node');
    expect(cycles).toMatchObject([{ measured: '9,000 jobs/s', met: false, proves: [expect.any(String)] }]);
    // Only the first report has it, and it is not measured again.
    expect(found.map(({ name }) => name)).toContain('health at 200 requests/s');
  });

  it('refuses to combine reports of different machines or payloads', () => {
    const machine = fileOf('machine.json', (report) => (report.machine.cores = 64));
    const payload = fileOf('payload.json', (report) => (report.options['payload bytes'] = 4_096));
    expect(run(folder, [sourceFile, machine])).toMatchObject({
      code: 1,
      errors: expect.stringContaining('differ in machine'),
    });
    expect(run(folder, [sourceFile, payload])).toMatchObject({
      code: 1,
      errors: expect.stringContaining('differ in payload bytes'),
    });
  });
});

describe('the plan', () => {
  it('has at least two replicas of each service', () => {
    const { cells, pods, postgresCores, redisShards, pgBouncers } = planFor(singles, costsAt(100), 1_000, assumptions);
    expect({ cells, postgresCores, redisShards, pgBouncers }).toEqual({
      cells: 1,
      postgresCores: 2,
      redisShards: 1,
      pgBouncers: 2,
    });
    expect(pods).toEqual({ gateway: 2, engine: 2, scheduler: 2, webhooks: 2, realtime: 2 });
  });

  it('limits the cores of each primary, and divides everything else by the cells', () => {
    // 100,000 × 300 µs = 30 busy cores in each process; a primary of 16 cores may use 9.6.
    const plan = planFor(singles, costsAt(300), 100_000, assumptions);
    expect(plan.demand.busyCores.gateway).toBeCloseTo(30);
    // Four primaries with 7.5 busy cores each: 12.5 at 60 %.
    expect(plan).toMatchObject({ cells: 4, postgresCores: 13, redisShards: 13 });
    expect(plan.pods.gateway).toBe(13);
    // Five services of 13 pods: four with 29 connections each, the scheduler with 47.
    expect(plan).toMatchObject({ connections: 2_119, pgBouncers: 3 });
  });

  it('limits the WAL of each primary', () => {
    // 100,000 × 1,000 bytes = 100 MB per second, the limit of one primary.
    expect(planFor(singles, costsAt(1), 100_000, assumptions).cells).toBe(1);
    expect(planFor(singles, costsAt(1), 100_001, assumptions).cells).toBe(2);
  });
});
