import type { Terminal } from '@spooled/local';
import type { Options } from './options.js';
import type { Settings, StepReport } from './report.js';
import type { Window } from './measure/window.js';
import type { BenchStack } from './stack/bench-stack.js';

/** One measurement: a file in scenarios/, listed in scenarios.ts. */
export interface Scenario {
  /** Matched by `--only`. */
  name: string;
  /** One line, printed by `--list` and above the table. */
  what: string;
  /** Runs only when `--only` names it, because it takes minutes or gigabytes. */
  onDemand?: true;
  /** Reports a ratio to the floor, so the floor must be measured in the same run. */
  againstFloor?: true;
  /** Settings that affect the figures; printed above the rows. */
  settings(options: Options): Settings;
  run(bench: BenchRun): Promise<void>;
}

/** Context of a scenario. The job tables are empty when it starts and are emptied after it. */
export interface BenchRun {
  stack: BenchStack;
  options: Options;
  say: Terminal['say'];
  /** Steps of a scenario that this run has measured so far. */
  steps(scenario: string): StepReport[];
  /** Prints how rates and latencies of the rows that both steps have differ. */
  compare(before: StepReport, after: StepReport): void;
  /** Runs `load` for warm-up and window, prints the rows and adds them to the report. @throws what `load` throws */
  measure(step: StepPlan, load: Load): Promise<StepReport>;
}

export interface StepPlan {
  name: string;
  settings?: Settings;
  /** Seconds of the window; default `--seconds`. */
  seconds?: number;
  /** Seconds of warm-up; default `--warmup`. */
  warmup?: number;
  /** Row whose count the costs are divided by, if several rows count the same operations; default: the sum of all rows. */
  operationsIn?: string;
}

/** Runs until `window.over`, records each finished operation in the window, and resolves when nothing is in flight. */
export type Load = (window: Window) => Promise<void>;
