import { TestEnvironment } from 'jest-environment-node';

/** For `npm run mutate`: the first test that fails has found the mutant, so the rest of its file is skipped. */
export default class extends TestEnvironment {
  handleTestEvent = skipAfterFailure();
}

/** @returns {(event: { name: string, test?: { mode?: string } }) => void} what receives the events of jest-circus */
export function skipAfterFailure() {
  let failed = false;
  return (event) => {
    if (event.name === 'test_fn_failure') failed = true;
    if (event.name === 'test_start' && failed) event.test.mode = 'skip';
  };
}
