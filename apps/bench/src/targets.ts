import { quietRow } from './load/quiet-jobs.js';
import { short } from './output/table.js';
import type { Latency, Row, ScenarioReport, StepReport, TargetReport } from './report.js';
import { isBetter, published } from './published-latencies.js';
import { bestCycle, scaleTargets } from './scale-targets.js';

type Verdict = Pick<TargetReport, 'measured' | 'met'>;

/** The target of one figure. */
interface Target {
  name: string;
  target: string;
  /** Ids of docs/features.md that this figure proves; none by default. */
  proves?: string[];
  /** Null if this run did not measure it. @param steps - of a scenario; empty if it did not run */
  judge(steps: (scenario: string) => StepReport[]): Verdict | null;
}

/** A row of a step; the first one if no name is given. */
function rowOf(steps: StepReport[], step: string, name?: string): Row | null {
  const rows = steps.find((one) => one.name === step)?.rows ?? [];
  return (name === undefined ? rows[0] : rows.find((row) => row.name === name)) ?? null;
}

function judgeTimes(row: Row | null, judge: (latency: Latency, row: Row) => Verdict): Verdict | null {
  return row?.latency ? judge(row.latency, row) : null;
}

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
  {
    name: 'time of a single POST, 64 connections',
    target: 'p99 < 50 ms',
    proves: ['SP-84'],
    judge: (steps) =>
      judgeTimes(rowOf(steps('post'), '64 connections'), ({ p99 }) => ({
        measured: `p99 ${short(p99)} ms`,
        met: p99 < 50,
      })),
  },
  {
    name: 'pick-up by stream at 500 jobs/s',
    target: 'p50 < 2 ms, p99 < 10 ms',
    judge: (steps) =>
      judgeTimes(rowOf(steps('pickup'), 'stream, 500/s', 'from the response'), ({ p50, p99 }) => ({
        measured: `p50 ${short(p50)} ms, p99 ${short(p99)} ms`,
        met: p50 < 2 && p99 < 10,
      })),
  },
  {
    // 500 jobs/s are 43 million a day.
    name: 'pick-up by stream at 500 jobs/s, from the send',
    target: 'p99 < 200 ms',
    proves: ['KF-02', 'KF-03'],
    judge: (steps) =>
      judgeTimes(rowOf(steps('pickup'), 'stream, 500/s', 'from the send'), ({ p99 }) => ({
        measured: `p99 ${short(p99)} ms`,
        met: p99 < 200,
      })),
  },
  {
    name: 'cancelling a running job over streams',
    target: 'p99 < 100 ms',
    judge: (steps) =>
      judgeTimes(rowOf(steps('cancel'), 'cancel'), ({ p50, p99 }) => ({
        measured: `p50 ${short(p50)} ms, p99 ${short(p99)} ms`,
        met: p99 < 100,
      })),
  },
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
  {
    name: 'search of indexed terms',
    target: 'p99 < 300 ms',
    judge: (steps) =>
      judgeTimes(rowOf(steps('search'), 'indexed'), ({ p50, p99 }) => ({
        measured: `p50 ${short(p50)} ms, p99 ${short(p99)} ms`,
        met: p99 < 300,
      })),
  },
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
  ...Object.entries(published).map(([kind, { limits, promise }]): Target => ({
    name: `${kind} at 200 requests/s`,
    target: `better than ${limits.join(' / ')} ms`,
    proves: [promise],
    judge: (steps) =>
      judgeTimes(rowOf(steps('moderate'), '200/s', kind), (latency) => ({
        measured: `${[latency.p50, latency.p95, latency.p99].map(short).join(' / ')} ms`,
        met: isBetter(latency, limits),
      })),
  })),
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
