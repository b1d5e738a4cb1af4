import { quietRow } from './load/quiet-jobs.js';
import { short } from './output/table.js';
import type { Latency, Row, ScenarioReport, StepReport, TargetReport } from './report.js';
import { isBetter, published } from './published-latencies.js';
import { bestCycle, rowOf, scaleTargets, type Target, type Verdict } from './scale-targets.js';

/** Where the figures of a target are; without a row in the first one of the step. */
type Place = [scenario: string, step: string, row?: string];

/** The target of the latencies of one row. */
const timesTarget = (
  name: string,
  target: string,
  [scenario, step, row]: Place,
  judge: (latency: Latency) => Verdict,
  proves: string[] = [],
): Target => ({ name, target, proves, judge: (steps) => judgeTimes(rowOf(steps(scenario), step, row), judge) });

function judgeTimes(row: Row | null, judge: (latency: Latency, row: Row) => Verdict): Verdict | null {
  return row?.latency ? judge(row.latency, row) : null;
}

const p99Below =
  (limit: number) =>
  ({ p99 }: Latency): Verdict => ({ measured: `p99 ${short(p99)} ms`, met: p99 < limit });

/** Shows the median too. */
const timesBelow =
  (limits: { p50?: number; p99: number }) =>
  ({ p50, p99 }: Latency): Verdict => ({
    measured: `p50 ${short(p50)} ms, p99 ${short(p99)} ms`,
    met: p50 < (limits.p50 ?? Infinity) && p99 < limits.p99,
  });

function cycleTarget(scenario: string, name: string, least: number): Target {
  return {
    name,
    target: `≥ ${least} of the floor`,
    judge(steps) {
      const row = rowOf(steps(scenario), 'whole cycle');
      const ratio = row?.figures['ratio to floor'];
      if (!row || ratio === undefined) return null;
      return { measured: `${ratio.toFixed(2)} (${short(row.rate)} jobs/s)`, met: ratio >= least };
    },
  };
}

function idleTarget(scenario: string, name: string, mostMb: number): Target {
  return {
    name,
    target: `< 1 % of a core, < ${mostMb} MB`,
    judge(steps) {
      const { 'all % of a core': cpu, 'all MB': memory } = rowOf(steps(scenario), 'idle')?.figures ?? {};
      if (cpu === undefined || memory === undefined) return null;
      return { measured: `${short(cpu)} %, ${short(memory)} MB`, met: cpu < 1 && memory < mostMb };
    },
  };
}

const targets: Target[] = [
  cycleTarget('cycle-grpc', 'whole cycle over gRPC', 0.45),
  cycleTarget('cycle-rest', 'whole cycle over REST', 0.6),
  cycleTarget('cycle-batches', 'whole cycle over batched gRPC', 0.6),
  // Neither an API nor a second process between the application and PostgreSQL.
  cycleTarget('embedded', 'whole cycle in one process', 0.8),
  {
    name: 'bulk enqueue over REST',
    target: '≥ 20,000 jobs/s',
    judge(steps) {
      const best = Math.max(0, ...steps('bulk').map(({ rows }) => rows[0]?.rate ?? 0));
      return best === 0 ? null : { measured: `${short(best)} jobs/s`, met: best >= 20_000 };
    },
  },
  {
    name: 'whole cycles of one node',
    target: '> 10,000 jobs/s',
    proves: ['SP-83'],
    judge(steps) {
      const best = bestCycle(steps);
      return best && { measured: `${short(best.rate)} jobs/s`, met: best.rate > 10_000 };
    },
  },
  {
    name: 'single POST, 64 connections',
    target: '≥ 8,000/s, p99 < 25 ms',
    judge: (steps) =>
      judgeTimes(rowOf(steps('post'), '64 connections'), ({ p99 }, { rate }) => ({
        measured: `${short(rate)}/s, p99 ${short(p99)} ms`,
        met: rate >= 8_000 && p99 < 25,
      })),
  },
  timesTarget('time of a single POST, 64 connections', 'p99 < 50 ms', ['post', '64 connections'], p99Below(50), [
    'SP-84',
  ]),
  timesTarget(
    'pick-up by stream at 500 jobs/s',
    'p50 < 2 ms, p99 < 10 ms',
    ['pickup', 'stream, 500/s', 'from the response'],
    timesBelow({ p50: 2, p99: 10 }),
  ),
  // 500 jobs/s are 43 million a day.
  timesTarget(
    'pick-up by stream at 500 jobs/s, from the send',
    'p99 < 200 ms',
    ['pickup', 'stream, 500/s', 'from the send'],
    p99Below(200),
    ['KF-02', 'KF-03'],
  ),
  timesTarget('cancelling a running job over streams', 'p99 < 100 ms', ['cancel', 'cancel'], timesBelow({ p99: 100 })),
  {
    name: 'a waiting job',
    target: '< 2,048 bytes, wakes in p99 < 50 ms',
    judge: (steps) => {
      const row = rowOf(steps('waits'), 'wake');
      const bytes = row?.figures['bytes a waiting job'];
      if (bytes === undefined) return null;
      return judgeTimes(row, ({ p50, p99 }) => ({
        measured: `${short(bytes)} bytes, p50 ${short(p50)} ms, p99 ${short(p99)} ms`,
        met: bytes < 2_048 && p99 < 50,
      }));
    },
  },
  {
    name: 'completing jobs of one batch',
    target: '≥ 0.85 of the rate without a batch',
    judge: (steps) => {
      const completed = steps('batch').filter(({ name }) => name !== 'add');
      const ratios = completed.flatMap(({ rows }) => rows[0]?.figures['ratio to no batch'] ?? []);
      if (ratios.length === 0) return null;
      const lowest = Math.min(...ratios);
      return { measured: ratios.map(short).join(', '), met: lowest >= 0.85 };
    },
  },
  timesTarget('search of indexed terms', 'p99 < 300 ms', ['search', 'indexed'], timesBelow({ p99: 300 })),
  {
    name: 'a quiet tenant beside searches that compare most',
    target: 'p99 ≤ 2 × of alone',
    proves: ['BX-03'],
    judge(steps) {
      const [alone, beside] = ['quiet alone', 'quiet beside compared'].map(
        (step) => rowOf(steps('search'), step, quietRow)?.latency?.p99,
      );
      if (!alone || !beside) return null;
      return { measured: `${short(alone)} → ${short(beside)} ms`, met: beside <= 2 * alone };
    },
  },
  ...Object.entries(published).map(([kind, { limits, promise }]) =>
    timesTarget(
      `${kind} at 200 requests/s`,
      `better than ${limits.join(' / ')} ms`,
      ['moderate', '200/s', kind],
      (latency) => ({
        measured: `${[latency.p50, latency.p95, latency.p99].map(short).join(' / ')} ms`,
        met: isBetter(latency, limits),
      }),
      [promise],
    ),
  ),
  {
    name: 'other requests beside the largest ones',
    target: 'p99 < 50 ms',
    judge: (steps) => {
      const waits = steps('large').map(
        ({ rows }) => rows.find(({ name }) => name === 'GET /health')?.latency?.p99 ?? 0,
      );
      const longest = Math.max(0, ...waits);
      return longest === 0 ? null : { measured: `p99 ${short(longest)} ms`, met: longest < 50 };
    },
  },
  idleTarget('idle', 'idle services after start', 500),
  idleTarget('idle-again', 'idle services after the load', 650),
  ...scaleTargets,
];

/** Results for all targets that this run measured. */
export function judge(scenarios: ScenarioReport[]): TargetReport[] {
  const steps = (of: string): StepReport[] => scenarios.find(({ name }) => name === of)?.steps ?? [];
  return targets.flatMap(({ name, target, proves = [], judge: judgeOne }) => {
    const verdict = judgeOne(steps);
    return verdict ? [{ name, target, ...verdict, proves }] : [];
  });
}
