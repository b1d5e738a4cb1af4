import JestEnvironment from './jest-environment.mjs';
import { skipAfterFailure } from './mutation-environment.mjs';

/** As mutation-environment.mjs, in the globals of the process: see mutation-runtime.mjs. */
export default class extends JestEnvironment {
  handleTestEvent = skipAfterFailure();

  setup() {
    super.setup();
    // Stryker's modules look which mutant is active while they load; these are loaded already.
    const { __stryker__: stryker } = globalThis;
    if (stryker) stryker.activeMutant = process.env.__STRYKER_ACTIVE_MUTANT__;
  }
}
