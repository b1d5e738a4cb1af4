import circus from 'jest-circus/runner';

let failedRun;

/**
 * For `npm run mutate`: Jest's own runner of a spec file, until one has failed. The mutant is found then, and the other files of the run
 * report a skipped test. Jest's `bail` would end the process.
 */
export default async function run(globalConfig, ...rest) {
  const [, , , file] = rest;
  if (failedRun === globalConfig) return skipped(file);
  const result = await circus.default(globalConfig, ...rest);
  if (globalConfig.testNamePattern && result.numFailingTests > 0) failedRun = globalConfig;
  return result;
}

const skipped = (testFilePath) => ({
  testFilePath,
  leaks: false,
  numFailingTests: 0,
  numPassingTests: 0,
  numPendingTests: 1,
  numTodoTests: 0,
  openHandles: [],
  perfStats: { start: 0, end: 0, runtime: 0, slow: false },
  skipped: true,
  snapshot: { added: 0, fileDeleted: false, matched: 0, unchecked: 0, uncheckedKeys: [], unmatched: 0, updated: 0 },
  // Jest takes a file without any test for a mistake.
  testResults: [
    { ancestorTitles: [], failureDetails: [], failureMessages: [], fullName: '', status: 'pending', title: '' },
  ],
});
