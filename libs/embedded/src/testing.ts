export {
  type EndedTestJob,
  type LoggedLine,
  type TestOptions,
  testSpooled,
  type TestSpooled,
} from './testing/test-spooled.js';
export type {
  CompletedExpectation,
  EnqueuedExpectation,
  FailedExpectation,
  TestJob,
} from './testing/job-expectations.js';
export { type JobMatchers, matchers } from './testing/matchers.js';
export type { Subset } from './testing/subset.js';
