export { type EndedTestJob, type TestOptions, testSpooled, type TestSpooled } from './testing/test-spooled.js';
