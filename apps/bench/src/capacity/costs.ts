import type { BenchReport, StepReport } from '../report.js';

/** The services in the order of a request, then the stores; the load generator is nobody's cost. */
export const services = ['gateway', 'engine', 'scheduler', 'webhooks', 'realtime'] as const;
export const processes = [...services, 'postgres', 'redis'] as const;

export type Service = (typeof services)[number];
export type Process = (typeof processes)[number];

interface Operation {
  what: string;
  scenario: string;
  /** Without one: the step that got through most. A pod at its target utilization is as busy as that. */
  step?: string;
}

/** What is priced, and where the bench measures it. Bulk operations are priced by the job. */
export const operations = {
  health: { what: 'health', scenario: 'health' },
  enqueue: { what: 'enqueue, one job', scenario: 'post' },
  claim: { what: 'claim, one job', scenario: 'claim', step: '1 a request' },
  complete: { what: 'complete, one job', scenario: 'complete', step: 'singly over REST' },
  list: { what: 'list of 100 jobs', scenario: 'list' },
  enqueueBulk: { what: 'one job of an enqueue of 100', scenario: 'bulk' },
  claimBulk: { what: 'one job of a claim of 100', scenario: 'claim', step: '100 a request' },
  completeBulk: { what: 'one job of a completion of 100', scenario: 'complete', step: '100 a request over REST' },
  completeStream: { what: 'complete, over ProcessJobs', scenario: 'complete', step: 'over ProcessJobs' },
  cycleRest: { what: 'complete cycle of a job, REST, 100 per request', scenario: 'cycle-rest', step: 'whole cycle' },
  cycleGrpc: { what: 'complete cycle of a job, gRPC streams', scenario: 'cycle-grpc', step: 'whole cycle' },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;

/** What one operation takes. */
export interface Cost {
  /** CPU microseconds. */
  micros: Record<Process, number>;
  walBytes: number;
  redisCommands: number;
  /** Where it was measured. */
  step: string;
  perSecond: number;
}

export type Costs = Record<OperationName, Cost>;

/** Scenarios whose steps `costsOf` reads. */
export const pricedScenarios: readonly string[] = [
  ...new Set(Object.values(operations).map(({ scenario }) => scenario)),
];

/**
 * The cost of every operation.
 * @param reports - of which each scenario is in one
 * @throws Error naming the scenario that is missing, or that was measured where CPU times are unknown
 */
export function costsOf(reports: BenchReport[]): Costs {
  const priced = Object.entries(operations).map(([name, operation]) => {
    const steps = stepsOf(reports, operation);
    return [
      name,
      costOf(
        operation,
        steps.reduce((best, step) => (rateOf(step) > rateOf(best) ? step : best)),
      ),
    ];
  });
  return Object.fromEntries(priced) as Costs;
}

/** The cost of an operation in the step that got through least: what it takes while there is little to share. */
export function costWhenQuiet(reports: BenchReport[], name: OperationName): Cost {
  const steps = stepsOf(reports, operations[name]);
  return costOf(
    operations[name],
    steps.reduce((least, step) => (rateOf(step) < rateOf(least) ? step : least)),
  );
}

function stepsOf(reports: BenchReport[], { scenario, step }: Operation): [StepReport, ...StepReport[]] {
  const all = reports.flatMap(({ scenarios }) => scenarios).find(({ name }) => name === scenario)?.steps ?? [];
  const [first, ...others] = all.filter(({ name, operations }) => operations > 0 && (!step || name === step));
  if (first) return [first, ...others];
  const missing = step ? `${scenario} (${step})` : scenario;
  throw new Error(`no report measured ${missing}: npm run bench -- --only ${scenario}`);
}

const rateOf = ({ operations, seconds }: StepReport): number => operations / seconds;

function costOf({ scenario }: Operation, step: StepReport): Cost {
  const { cpuMicrosPerOperation, walBytesPerOperation, redisCommandsPerOperation } = step.costs;
  const micros = processes.map((name) => {
    const spent = cpuMicrosPerOperation[name];
    if (spent === undefined) throw new Error(`${scenario}: CPU time of ${name} is unknown; run the bench on Linux`);
    return [name, spent];
  });
  return {
    micros: Object.fromEntries(micros) as Record<Process, number>,
    walBytes: walBytesPerOperation,
    redisCommands: redisCommandsPerOperation,
    step: step.name,
    perSecond: rateOf(step),
  };
}
