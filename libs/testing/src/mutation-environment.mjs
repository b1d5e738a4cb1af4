import { TestEnvironment } from 'jest-environment-node';

/** For `npm run mutate`: the first test that fails has found the mutant, so the rest of its file is skipped. */
export default class extends TestEnvironment {
  #failed = false;

  /** @param {{ name: string, test?: { mode?: string } }} event of jest-circus */
  handleTestEvent(event) {
    if (event.name === 'test_fn_failure') this.#failed = true;
    if (event.name === 'test_start' && this.#failed) event.test.mode = 'skip';
  }
}
