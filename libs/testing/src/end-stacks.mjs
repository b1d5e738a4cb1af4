/**
 * Stops the shared stacks when the last file of `e2e` has ended (longest-first.mjs puts these files first). Idle, two stacks take a tenth
 * of a core. A run without such files may use them until its end.
 */
export default class {
  #running = new Set();
  #hasRun = false;
  #othersRun = false;

  onTestFileStart({ path, context }) {
    if (context.config.displayName?.name === 'e2e') {
      this.#running.add(path);
      this.#hasRun = true;
    } else this.#othersRun = true;
  }

  onTestFileResult({ path }) {
    this.#running.delete(path);
    // The end of the run waits for it too, and fails if it has failed.
    if (this.#hasRun && this.#othersRun && this.#running.size === 0)
      globalThis.stopSharedStacks?.().catch(() => undefined);
  }
}
