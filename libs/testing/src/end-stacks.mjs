/**
 * Stops the shared stacks when the last file of `e2e` has ended (longest-first.mjs puts these files first). Idle, two stacks take a tenth
 * of a core.
 */
export default class {
  #running = new Set();
  #othersRun = false;

  onTestFileStart({ path, context }) {
    if (context.config.displayName?.name === 'e2e') this.#running.add(path);
    else this.#othersRun = true;
  }

  onTestFileResult({ path }) {
    this.#running.delete(path);
    // The end of the run waits for it too, and fails if it has failed.
    if (this.#othersRun && this.#running.size === 0) globalThis.stopSharedStacks?.().catch(() => undefined);
  }
}
