import { join } from 'node:path';
import { runCLI } from 'jest';
import base from '../../../jest.config.mjs';
import { modulesOfEachFile } from './mutation-modules.mjs';

// For `npm run mutate -- --sql`: runs spec files again and again in one process, on the server of its parent. Each message
// {specs, statement?} is answered by {failed, by, durations}.

const root = join(import.meta.dirname, '../../..');
const here = (name) => join(import.meta.dirname, name);
const stores = base.projects.find(({ displayName }) => displayName === 'stores');

process.on('message', async (order) => {
  const { results } = await runCLI(optionsOf(order), [root]);
  process.send(answerOf(results));
});

process.on('disconnect', () => process.exit());

/** The specs run in the order that is asked for: mutation-order.mjs reads it. */
function optionsOf({ specs, statement }) {
  globalThis.specsInOrder = specs.map((spec) => join(root, spec));
  const config = {
    ...stores,
    ...modulesOfEachFile,
    globalSetup: undefined,
    globalTeardown: undefined,
    displayName: undefined,
    roots: [join(root, 'libs')],
    testMatch: globalThis.specsInOrder,
    testSequencer: here('mutation-order.mjs'),
    testRunner: here('mutation-jest-circus.mjs'),
    testEnvironment: here('mutation-environment.mjs'),
    // A file of statements is read from a copy, which holds the mutant.
    moduleNameMapper: {
      ...(statement && { [statement.pattern]: statement.copy }),
      ...modulesOfEachFile.moduleNameMapper,
    },
    testTimeout: base.testTimeout,
    reporters: [],
  };
  return { config: JSON.stringify(config), runInBand: true, silent: true, testNamePattern: '.', watchman: false };
}

function answerOf({ testResults }) {
  const failures = testResults.flatMap(({ testFilePath, testResults: tests, testExecError }) => {
    const failed = tests.find(({ status }) => status === 'failed');
    return failed || testExecError
      ? [`${testFilePath.slice(root.length + 1)}: ${failed?.fullName ?? 'not loaded'}`]
      : [];
  });
  const durations = testResults.map(({ testFilePath, perfStats }) => [
    testFilePath.slice(root.length + 1),
    perfStats.runtime,
  ]);
  const passed = testResults.reduce((sum, { numPassingTests }) => sum + numPassingTests, 0);
  return { failed: failures.length > 0, by: failures[0] ?? null, durations: Object.fromEntries(durations), passed };
}
