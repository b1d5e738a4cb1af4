import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runCLI } from 'jest';
import base from '../../../jest.config.mjs';
import './module-hooks.mjs';

// For `npm run mutate -- --sql`: runs spec files again and again in one process, on the server of its parent. Each message
// {specs, statements?: {queries, source}} is answered by {failed, by, durations}. A mutant changes no module, so these are loaded once.

const root = join(import.meta.dirname, '../../..');
const here = (name) => join(import.meta.dirname, name);
const stores = base.projects.find(({ displayName }) => displayName === 'stores');

process.on('message', async (order) => {
  if (order.statements) await replaceStatements(order.statements);
  const { results } = await runCLI(optionsOf(order), [root]);
  process.send(answerOf(results));
});

process.on('disconnect', () => process.exit());

/** The specs run in the order that is asked for: mutation-order.mjs reads it. */
function optionsOf({ specs }) {
  globalThis.specsInOrder = specs.map((spec) => join(root, spec));
  const config = {
    ...stores,
    runtime: here('mutation-runtime.mjs'),
    testEnvironment: here('mutation-kept-environment.mjs'),
    globalSetup: undefined,
    globalTeardown: undefined,
    displayName: undefined,
    roots: rootsOf(specs),
    testMatch: globalThis.specsInOrder,
    testSequencer: here('mutation-order.mjs'),
    testRunner: here('mutation-jest-circus.mjs'),
    testTimeout: base.testTimeout,
    reporters: [],
  };
  return { config: JSON.stringify(config), runInBand: true, silent: true, testNamePattern: '.', watchman: false };
}

/** The libraries, and the services that specs are of: Jest looks through all files below. */
function rootsOf(specs) {
  const services = specs.filter((spec) => spec.startsWith('apps/')).map((spec) => spec.split('/', 2).join('/'));
  return [...new Set(['libs', ...services])].map((folder) => join(root, folder));
}

/** Puts the mutant of a file of statements into those that its neighbour has made of it. */
async function replaceStatements({ queries, source }) {
  const statements = await import(pathToFileURL(join(root, queries)).href);
  for (const [name, statement] of Object.entries(statements))
    Object.assign(statement, new statement.constructor(source, name));
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
