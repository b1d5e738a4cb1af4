import type { SeededRandom } from '@spooled/testing';
import type { ChaosSystem } from './chaos-system.js';
import type { Observation } from './observation.js';
import type { WorkerProcesses } from './worker-processes.js';

/** What a fault can reach. */
export interface FaultContext {
  system: ChaosSystem;
  workers: WorkerProcesses;
  random: SeededRandom;
  organizationId: string;
  /** How long the fault lasts, unless it ends by itself. */
  seconds: number;
}

export interface Fault {
  name: string;
  /** Two faults of one part are not combined. */
  part: string;
  /** Why it cannot be tried here, or nothing. */
  skipped?: (system: ChaosSystem) => string | null;
  /** @returns what ends it; a fault that ends by itself resolves when it is over */
  inject: (context: FaultContext) => Promise<() => Promise<void>>;
  /** True if it is over when `inject` resolves. */
  endsByItself?: boolean;
  /** What it promises beyond the rules over histories; one line for each thing that breaks it. */
  judge?: (observed: Observation) => string[];
}
