import { short } from './output/table.js';
import { peerLabels, recordKeeperLabels } from './peers/peer-process.js';
import type { Row, StepReport, TargetReport } from './report.js';

export type Verdict = Pick<TargetReport, 'measured' | 'met'>;
/** The steps of a scenario; empty if it did not run. */
type Steps = (scenario: string) => StepReport[];

/** The target of one figure. */
export interface Target {
  name: string;
  target: string;
  /** Ids of docs/features.md that this figure proves; none by default. */
  proves?: string[];
  /** Null if this run did not measure it. */
  judge(steps: Steps): Verdict | null;
}

/** A row of a step; the first one if no name is given. */
export function rowOf(steps: StepReport[], step: string, name?: string): Row | null {
  const rows = steps.find((one) => one.name === step)?.rows ?? [];
  return (name === undefined ? rows[0] : rows.find((row) => row.name === name)) ?? null;
}

interface Cycle {
  name: string;
  rate: number;
}

const cycleOf = (name: string, row: Row | null): Cycle[] => (row ? [{ name, rate: row.rate }] : []);

/** The best `whole cycle` rate of this run with its scenario; null if none was measured. */
export function bestCycle(steps: Steps): Cycle | null {
  const found = ['cycle-grpc', 'cycle-rest'].flatMap((name) => cycleOf(name, rowOf(steps(name), 'whole cycle')));
  return found.toSorted((a, b) => b.rate - a.rate)[0] ?? null;
}

/** The cycle of embedded mode; null if it was not measured. */
export const embeddedCycle = (steps: Steps): Cycle | null =>
  cycleOf('embedded', rowOf(steps('embedded'), 'whole cycle'))[0] ?? null;

/** The `cycle` rate of each measured peer. */
export const peerCycles = (steps: Steps): Cycle[] => cyclesOf(peerLabels, steps);

/** The `cycle` rate of each measured peer that keeps records. */
export const recordKeeperCycles = (steps: Steps): Cycle[] => cyclesOf(recordKeeperLabels, steps);

const cyclesOf = (labels: readonly string[], steps: Steps): Cycle[] =>
  labels.flatMap((name) => cycleOf(name, rowOf(steps('peers'), `${name} cycle`)));

/** Behind one of them by less than `tolerance` is still met. */
function judgeCycle(ours: Cycle | null, theirs: Cycle[], tolerance = 0): Verdict | null {
  if (!ours || theirs.length === 0) return null;
  const list = theirs.map(({ name, rate }) => `${name} ${short(rate)}`).join(', ');
  return {
    measured: `${short(ours.rate)} (${list})`,
    met: theirs.every(({ rate }) => ours.rate > rate * (1 - tolerance)),
  };
}

/** Judges the worst ratio of a p99 of these rows in the later steps to that in the first. */
function slowdown(
  max: number,
  steps: StepReport[],
  [before, ...after]: [string, ...string[]],
  rows: string[],
): Verdict | null {
  const ratios = after.flatMap((name) =>
    rows.flatMap((row) => {
      const [old, now] = [before, name].map((step) => rowOf(steps, step, row)?.latency?.p99);
      return old && now ? now / old : [];
    }),
  );
  if (ratios.length === 0) return null;
  const worst = Math.max(...ratios);
  return { measured: `× ${worst.toFixed(2)}`, met: worst <= max };
}

function judgePinned(steps: StepReport[]): Verdict | null {
  const rateOf = (step: string): number => rowOf(steps, step, 'cycle')?.rate ?? 0;
  const before = rateOf('before');
  const open = steps.filter(({ name }) => name.startsWith('open for')).map(({ name }) => rateOf(name));
  if (before === 0 || open.length === 0) return null;
  const lowest = Math.min(...open) / before;
  return { measured: `${Math.round(lowest * 100)} % in the slowest slice`, met: lowest >= 0.7 };
}

/** Targets for full tables, blocked vacuum, fairness and the comparison with other queues. */
export const scaleTargets: Target[] = [
  {
    name: 'whole cycle compared with each peer',
    target: 'faster than all, jobs/s',
    judge: (steps) => judgeCycle(bestCycle(steps), peerCycles(steps)),
  },
  {
    name: 'embedded cycle compared with each peer that keeps records',
    target: 'faster than all, jobs/s',
    judge: (steps) => judgeCycle(embeddedCycle(steps), recordKeeperCycles(steps)),
  },
  {
    name: 'embedded cycle compared with each peer as it comes',
    target: 'at most 10 % behind the fastest, jobs/s',
    judge: (steps) => judgeCycle(embeddedCycle(steps), peerCycles(steps), 0.1),
  },
  ...['finished', 'pending'].map((jobs): Target => ({
    name: `claim p99 with ${jobs} jobs in the tables`,
    target: '≤ × 1.5 of empty',
    judge: (steps) => slowdown(1.5, steps(jobs), ['empty, steady', 'full, steady'], ['claim']),
  })),
  { name: 'cycles with vacuum blocked', target: '≥ 70 % of before', judge: (steps) => judgePinned(steps('pinned')) },
  {
    name: "quiet tenant's p99 during a flood",
    target: '≤ × 2 of alone',
    judge(steps) {
      const compared: [string, ...string[]] = ['quiet alone', 'during bulk flood', 'during single flood'];
      return slowdown(2, steps('fairness'), compared, ['enqueue', 'claim']);
    },
  },
];
