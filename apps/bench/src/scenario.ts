import type { Terminal } from './output/terminal.js';
import type { Options } from './options.js';
import type { Settings, StepReport } from './report.js';
import type { Window } from './measure/window.js';
import type { BenchStack } from './stack/bench-stack.js';

/** One thing that the bench measures; a file of its own in scenarios/, listed in scenarios.ts. */
export interface Scenario {
  /** What `--only` knows it by. */
  name: string;
  /** One line for `--list` and above its table. */
  what: string;
  /** Runs only when `--only` names it: it takes long, or needs what not every machine has. */
  onDemand?: true;
  /** Its result is a ratio to the floor, which has to be measured in the same run. */
  againstFloor?: true;
  /** Printed above its rows: whatever a number depends on. */
  settings(options: Options): Settings;
  run(bench: BenchRun): Promise<void>;
}

/** What a scenario works with. The database holds no job when it starts, and is emptied after it. */
export interface BenchRun {
  stack: BenchStack;
  options: Options;
  say: Terminal['say'];
  /** Steps that were measured so far in this run, by scenario. */
  steps(scenario: string): StepReport[];
  /**
   * Runs `load` for warm-up and window, prints its rows, and keeps them for the report.
   * @throws what `load` throws
   */
  measure(step: StepPlan, load: Load): Promise<StepReport>;
}

export interface StepPlan {
  name: string;
  settings?: Settings;
  /** Seconds of the window; without it those of `--seconds`. */
  seconds?: number;
  /** Seconds before it; without it those of `--warmup`. */
  warmup?: number;
  /** Row whose count the costs are divided by, where several rows tell of the same operations; without it their sum. */
  operationsIn?: string;
}

/** Works until `window.over`, tells the window each operation that ends, and resolves when nothing is under way any more. */
export type Load = (window: Window) => Promise<void>;
