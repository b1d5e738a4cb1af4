/** Incremented when readers of the old format would misread the new one. */
export const schemaVersion = 1;

export type Settings = Record<string, string | number | boolean>;

/** The JSON report of one run. Times are in milliseconds unless a name says otherwise. */
export interface BenchReport {
  schemaVersion: typeof schemaVersion;
  /** ISO 8601. */
  startedAt: string;
  commit: string;
  machine: Machine;
  /** Versions, durability, replicas and non-default settings of the stack under test. */
  stack: Settings;
  options: Settings;
  scenarios: ScenarioReport[];
  targets: TargetReport[];
}

export interface Machine {
  cpu: string;
  cores: number;
  memoryMb: number;
  os: string;
  node: string;
  /** Averages over 1, 5 and 15 minutes before the stack was started. */
  loadAverage: number[];
}

export interface ScenarioReport {
  name: string;
  what: string;
  settings: Settings;
  steps: StepReport[];
  /** Error message, if the scenario failed. */
  failure?: string;
}

/** One measured window, such as one number of connections. */
export interface StepReport {
  name: string;
  settings: Settings;
  /** Length of the window without the warm-up. */
  seconds: number;
  /** What the costs are divided by. */
  operations: number;
  rows: Row[];
  costs: Costs;
}

/** One kind of operation within a step. */
export interface Row {
  name: string;
  count: number;
  /** Operations per second. */
  rate: number;
  latency: Latency | null;
  /** Failures by reason; not included in `count`. */
  errors: Record<string, number>;
  /** Other measured values; the name includes the unit. */
  figures: Record<string, number>;
}

export interface Latency {
  mean: number;
  p50: number;
  p95: number;
  p99: number;
  max: number;
}

/** What the window cost in all processes, in total and per operation. */
export interface Costs {
  /** CPU seconds by process; `postgres` includes its backends, `generator` is the bench itself. Empty without /proc. */
  cpuSeconds: Record<string, number>;
  cpuMicrosPerOperation: Record<string, number>;
  walBytesPerOperation: number;
  redisCommandsPerOperation: number;
}

export interface TargetReport {
  name: string;
  target: string;
  measured: string;
  met: boolean;
  /** Ids of docs/features.md that this figure proves when the target is met. */
  proves: string[];
}
