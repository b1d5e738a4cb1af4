/** Goes up when a reader of older files would misread a newer one. */
export const schemaVersion = 1;

export type Settings = Record<string, string | number | boolean>;

/** What one run of the bench found; the form of its JSON file. Times are milliseconds unless a name says otherwise. */
export interface BenchReport {
  schemaVersion: typeof schemaVersion;
  /** ISO 8601. */
  startedAt: string;
  commit: string;
  machine: Machine;
  /** Of the stack under test: versions, durability, replicas, and what differs from the defaults. */
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
  /** Why it did not run to its end. */
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
  /** Operations a second. */
  rate: number;
  latency: Latency | null;
  /** Failures by what was wrong; they are no part of `count`. */
  errors: Record<string, number>;
  /** Further numbers, by name with their unit. */
  figures: Record<string, number>;
}

export interface Latency {
  mean: number;
  p50: number;
  p95: number;
  p99: number;
  max: number;
}

/** What the window cost all processes, and one operation's share. */
export interface Costs {
  /** CPU seconds by process; `postgres` is all its processes, `generator` the bench itself. Empty where there is no /proc. */
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
}
