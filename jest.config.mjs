/** What compares documents with the specs that they name; part of `npm run check` too, because each added test may change them. */
const proofs = '**/apps/e2e/src/{compatibility,features}.spec.ts';
/** What kills, pauses or disconnects something runs apart (`npm run test:faults`), each file with stores and services of its own. */
const faults = '**/*.faults.spec.ts';

/** One project per size: `rules` needs nothing, `stores` a PostgreSQL and a Redis, `e2e` the five built services. */
const project = (displayName, testMatch, more = {}) => ({
  displayName,
  testMatch,
  rootDir: import.meta.dirname,
  testEnvironment: '<rootDir>/libs/testing/src/jest-environment.mjs',
  runtime: '<rootDir>/libs/testing/src/jest-runtime.mjs',
  transform: {},
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.data', '<rootDir>/.nx'],
  ...more,
});
const needsStores = {
  globalSetup: '<rootDir>/libs/testing/src/global-setup.mjs',
  globalTeardown: '<rootDir>/libs/testing/src/global-teardown.mjs',
};

export default {
  // What specs leave behind must not add up. A restart costs 2 s, because a worker loads the modules again.
  workerIdleMemoryLimit: '1500MB',
  // A worker that leaves nothing open needs 0.4 s to free 0.5 GB beside other work; after Jest's 0.5 s it is taken for one that leaks.
  workerGracefulExitTimeout: 5_000,
  maxWorkers: 3,
  reporters: ['default', '<rootDir>/libs/testing/src/end-stacks.mjs'],
  testSequencer: '<rootDir>/libs/testing/src/longest-first.mjs',
  // Ends what hangs. A stack starts in 5 s, or in more than 60 s beside much other work.
  testTimeout: 180_000,
  projects: [
    project('rules', [
      '<rootDir>/libs/{domain,contracts,platform,sdk}/**/*.spec.ts',
      '<rootDir>/apps/{bench,cli,console,console-server}/src/**/*.spec.ts',
      proofs,
      '!**/libs/sdk/src/outbox/**',
      `!${faults}`,
    ]),
    project(
      'stores',
      [
        '<rootDir>/libs/{data-access,queue,transport,service,testing,embedded}/**/*.spec.ts',
        '<rootDir>/apps/{gateway,engine,scheduler,webhooks,realtime}/**/*.spec.ts',
        '<rootDir>/{deploy,prisma}/**/*.spec.ts',
        '<rootDir>/libs/sdk/src/outbox/**/*.spec.ts',
        `!${faults}`,
      ],
      needsStores,
    ),
    project('e2e', ['<rootDir>/apps/e2e/**/*.spec.ts', `!${proofs}`, `!${faults}`], needsStores),
    project('faults', [faults, '!**/apps/console/**'], needsStores),
  ],
};
