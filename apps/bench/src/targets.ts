import type { Row, ScenarioReport, StepReport, TargetReport } from './report.js';
import { short } from './output/table.js';

/** What the product promises of one figure, judged where the scenario ran. */
interface Target {
  name: string;
  target: string;
  scenario: string;
  /** Null where the step was not measured. */
  judge(steps: StepReport[]): { measured: string; met: boolean } | null;
}

/** The row of a step; of several the one with this name. */
function rowOf(steps: StepReport[], step: string, name?: string): Row | null {
  const rows = steps.find((one) => one.name === step)?.rows ?? [];
  return (name === undefined ? rows[0] : rows.find((row) => row.name === name)) ?? null;
}

const targets: Target[] = [
  {
    name: 'bulk enqueue over REST',
    target: '≥ 20,000 jobs/s',
    scenario: 'bulk',
    judge(steps) {
      const best = Math.max(0, ...steps.map((step) => step.rows[0]?.rate ?? 0));
      return best === 0 ? null : { measured: `${short(best)} jobs/s`, met: best >= 20_000 };
    },
  },
  {
    name: 'single POST, 64 connections',
    target: '≥ 4,000/s, p99 < 50 ms',
    scenario: 'post',
    judge(steps) {
      const row = rowOf(steps, '64 connections');
      if (!row?.latency) return null;
      const { rate, latency } = row;
      return {
        measured: `${short(rate)}/s, p99 ${short(latency.p99)} ms`,
        met: rate >= 4_000 && latency.p99 < 50,
      };
    },
  },
];

/** The verdicts on everything that this run measured. */
export function judge(scenarios: ScenarioReport[]): TargetReport[] {
  return targets.flatMap(({ name, target, scenario, judge: judgeSteps }) => {
    const verdict = judgeSteps(scenarios.find((one) => one.name === scenario)?.steps ?? []);
    return verdict ? [{ name, target, ...verdict }] : [];
  });
}
