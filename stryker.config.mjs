// See libs/testing/src/mutation.jest.mjs: only libs/domain runs as CommonJS.
const library = process.env.MUTATE_LIBRARY ?? 'domain';
const isDomain = library === 'domain';

/** `npm run mutate`, see docs/mutation.md. */
export default {
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner'],
  // Other spec files than those that import the mutated file would be loaded for nothing: 2 s more for each mutant. Nearly all
  // specs of libs/queue import all of it; mutation-sequencer.mjs chooses among them.
  jest: { configFile: 'libs/testing/src/mutation.jest.mjs', enableFindRelatedTests: isDomain },
  // Jest keeps the modules of every run in libs/domain, 10 to 20 MB; in the others the spec files only.
  maxTestRunnerReuse: isDomain ? 50 : 200,
  mutate: [`libs/${library}/src/**/*.ts`, '!**/*.{spec,fixture,queries}.ts'],
  ignorePatterns: ['dist', '.data', '.nx', 'coverage', 'docs', 'apps/bench/peers'],
  coverageAnalysis: 'perTest',
  // Beside 1.5 times the duration of the tests. On a busy machine a PostgreSQL may take seconds more, and a timeout counts as found.
  timeoutMS: isDomain ? 5_000 : 20_000,
  concurrency: 1,
  // Mutants of module constants run every spec again: 70 % of the time for 10 % of the mutants.
  ignoreStatic: true,
  tempDirName: '.data/mutation',
  reporters: ['clear-text', 'json'],
  jsonReporter: { fileName: process.env.MUTATE_REPORT ?? '.data/mutation.json' },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  thresholds: { high: 90, low: 80, break: null },
};
