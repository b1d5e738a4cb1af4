import JestEnvironment from './jest-environment.mjs';
import { skipAfterFailure } from './mutation-environment.mjs';

/** As mutation-environment.mjs, in the globals of the process: see mutation-runtime.mjs. */
export default class extends JestEnvironment {
  handleTestEvent = skipAfterFailure();
}
