/** `npm run mutate`, see docs/mutation.md. */
export default {
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner'],
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  jest: { configFile: 'libs/testing/src/mutation.jest.mjs', enableFindRelatedTests: false },
  mutate: ['libs/domain/src/**/*.ts', '!**/*.{spec,fixture}.ts'],
  ignorePatterns: ['dist', '.data', '.nx', 'coverage', 'docs', 'apps/bench/peers'],
  coverageAnalysis: 'perTest',
  concurrency: 1,
  // Mutants of module constants run every spec again: 70 % of the time for 10 % of the mutants.
  ignoreStatic: true,
  tempDirName: '.data/mutation',
  reporters: ['clear-text', 'json'],
  jsonReporter: { fileName: '.data/mutation.json' },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  thresholds: { high: 90, low: 80, break: null },
};
