import type { BenchReport, StepReport } from '../report.js';

/** The services, then the stores. The load generator is not part of the cost. */
export const services = ['gateway', 'engine', 'scheduler', 'webhooks', 'realtime'] as const;
export const processes = [...services, 'postgres', 'redis'] as const;

export type Service = (typeof services)[number];
export type Process = (typeof processes)[number];

interface Operation {
  what: string;
  scenario: string;
  /** Default: the step with the highest rate, because the plan assumes pods at their target utilization. */
  step?: string;
}

/** The operations of the plan, and where the bench measures them. Costs of bulk operations are per job. */
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

/** Cost of one operation. */
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
 * @param reports - contain each scenario at most once
 * @throws Error naming the scenario that is missing, or that has no CPU times
 */
export function costsOf(reports: BenchReport[]): Costs {
  const priced = Object.entries(operations).map(([name, operation]) => {
    const fastest = stepsOf(reports, operation).at(-1)!;
    return [name, costOf(operation, fastest)];
  });
  return Object.fromEntries(priced) as Costs;
}

/** The cost of an operation in the step with the lowest rate, where batches are smallest. */
export const costAtLowLoad = (reports: BenchReport[], name: OperationName): Cost =>
  costOf(operations[name], stepsOf(reports, operations[name])[0]!);

/** At least one step, by rising rate. */
function stepsOf(reports: BenchReport[], { scenario, step }: Operation): StepReport[] {
  const all = reports.flatMap(({ scenarios }) => scenarios).find(({ name }) => name === scenario)?.steps ?? [];
  const found = all.filter(({ name, operations }) => operations > 0 && (!step || name === step));
  if (found.length > 0) return found.sort((a, b) => rateOf(a) - rateOf(b));
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
