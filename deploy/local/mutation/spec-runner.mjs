import { fork } from 'node:child_process';
import { performance } from 'node:perf_hooks';

/** The spec files of every run stay loaded. */
const runsOfProcess = 200;
/** A mutant may make specs wait for what never comes. */
const minTimeoutMs = 120_000;

/** Runs spec files in a process that is kept for some runs, because loading Jest takes longer than most specs. */
export class SpecRunner {
  #child;
  #runs = 0;
  #timeoutMs = 600_000;

  constructor(database) {
    this.database = database;
  }

  /** The first run of some specs sets the time limit of those with mutants. */
  async run(order) {
    if (this.#runs === runsOfProcess) this.stop();
    this.#child ??= this.#start();
    this.#runs++;
    const began = performance.now();
    const answer = await this.#ask(order);
    if (answer.timedOut) await this.database.terminateAll();
    else if (!answer.failed) this.#timeoutMs = Math.max(minTimeoutMs, 5 * (performance.now() - began));
    return answer;
  }

  stop() {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
    this.#runs = 0;
  }

  #start() {
    return fork('libs/testing/src/mutation-specs.mjs', {
      execArgv: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
  }

  #ask(order) {
    const child = this.#child;
    return new Promise((resolve) => {
      const end = (answer) => {
        clearTimeout(timer);
        child.removeAllListeners();
        if (answer.ended) this.stop();
        resolve(answer);
      };
      const timer = setTimeout(() => end({ failed: true, timedOut: true, by: null, ended: true }), this.#timeoutMs);
      child.once('message', end);
      child.once('exit', () => end({ failed: true, by: 'the process ended', ended: true, durations: {} }));
      child.send(order);
    });
  }
}
