import { short } from './output/table.js';
import { peerLabels, recordKeeperLabels } from './peers/peer-process.js';
import type { Row, StepReport, TargetReport } from './report.js';

type Verdict = Pick<TargetReport, 'measured' | 'met'>;
type Steps = (scenario: string) => StepReport[];

const stepOf = (steps: StepReport[], name: string): StepReport | undefined => steps.find((step) => step.name === name);
const rowOf = (step: StepReport | undefined, name: string): Row | undefined =>
  step?.rows.find((row) => row.name === name);

/** The best `whole cycle` rate of this run with its scenario; null if none was measured. */
export function bestCycle(steps: Steps): { scenario: string; rate: number } | null {
  const found = ['cycle-grpc', 'cycle-rest'].flatMap((scenario) => {
    const rate = stepOf(steps(scenario), 'whole cycle')?.rows[0]?.rate;
    return rate === undefined ? [] : { scenario, rate };
  });
  return found.reduce<(typeof found)[0] | null>((best, one) => (best && best.rate >= one.rate ? best : one), null);
}

/** The cycle of embedded mode; null if it was not measured. */
export function embeddedCycle(steps: Steps): { scenario: string; rate: number } | null {
  const rate = stepOf(steps('embedded'), 'whole cycle')?.rows[0]?.rate;
  return rate === undefined ? null : { scenario: 'embedded', rate };
}

/** The `cycle` rate of each measured peer. */
export const peerCycles = (steps: Steps): PeerCycle[] => cyclesOf(peerLabels, steps);

/** The `cycle` rate of each measured peer that keeps records. */
export const recordKeeperCycles = (steps: Steps): PeerCycle[] => cyclesOf(recordKeeperLabels, steps);

interface PeerCycle {
  name: string;
  rate: number;
}

function cyclesOf(labels: readonly string[], steps: Steps): PeerCycle[] {
  return labels.flatMap((name) => {
    const rate = stepOf(steps('peers'), `${name} cycle`)?.rows[0]?.rate;
    return rate === undefined ? [] : { name, rate };
  });
}

const judgePeers = (steps: Steps): Verdict | null => judgeCycle(bestCycle(steps), peerCycles(steps));

/** Behind one of them by less than `tolerance` is still met. */
function judgeCycle(ours: { rate: number } | null, theirs: PeerCycle[], tolerance = 0): Verdict | null {
  if (!ours || theirs.length === 0) return null;
  const list = theirs.map(({ name, rate }) => `${name} ${short(rate)}`).join(', ');
  return {
    measured: `${short(ours.rate)} (${list})`,
    met: theirs.every(({ rate }) => ours.rate > rate * (1 - tolerance)),
  };
}

/** The worst ratio of a row's p99 in the steps `after` to its p99 in `before`. */
function timesSlower(steps: StepReport[], before: string, after: string[], rows: string[]): number | null {
  const ratios = after.flatMap((name) =>
    rows.flatMap((row) => {
      const [old, now] = [before, name].map((step) => rowOf(stepOf(steps, step), row)?.latency?.p99);
      return old && now ? now / old : [];
    }),
  );
  return ratios.length === 0 ? null : Math.max(...ratios);
}

const judgeSlowdown = (max: number, ratio: number | null): Verdict | null =>
  ratio === null ? null : { measured: `× ${ratio.toFixed(2)}`, met: ratio <= max };

function judgePinned(steps: StepReport[]): Verdict | null {
  const rateOf = (step: StepReport | undefined): number => rowOf(step, 'cycle')?.rate ?? 0;
  const before = rateOf(stepOf(steps, 'before'));
  const open = steps.filter(({ name }) => name.startsWith('open for')).map(rateOf);
  if (before === 0 || open.length === 0) return null;
  const lowest = Math.min(...open) / before;
  return { measured: `${Math.round(lowest * 100)} % in the slowest slice`, met: lowest >= 0.7 };
}

/** Targets for full tables, blocked vacuum, fairness and the comparison with other queues. */
export const scaleTargets: { name: string; target: string; judge(steps: Steps): Verdict | null }[] = [
  { name: 'whole cycle compared with each peer', target: 'faster than all, jobs/s', judge: judgePeers },
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
  {
    name: 'claim p99 with finished jobs in the tables',
    target: '≤ × 1.5 of empty',
    judge: (steps) => judgeSlowdown(1.5, timesSlower(steps('finished'), 'empty, steady', ['full, steady'], ['claim'])),
  },
  {
    name: 'claim p99 with pending jobs in the tables',
    target: '≤ × 1.5 of empty',
    judge: (steps) => judgeSlowdown(1.5, timesSlower(steps('pending'), 'empty, steady', ['full, steady'], ['claim'])),
  },
  { name: 'cycles with vacuum blocked', target: '≥ 70 % of before', judge: (steps) => judgePinned(steps('pinned')) },
  {
    name: "quiet tenant's p99 during a flood",
    target: '≤ × 2 of alone',
    judge: (steps) =>
      judgeSlowdown(
        2,
        timesSlower(
          steps('fairness'),
          'quiet alone',
          ['during bulk flood', 'during single flood'],
          ['enqueue', 'claim'],
        ),
      ),
  },
];
