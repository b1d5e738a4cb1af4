import { readFileSync } from 'node:fs';

const { paths } = JSON.parse(readFileSync(new URL('./tsconfig.base.json', import.meta.url), 'utf8')).compilerOptions;
const libraries = Object.fromEntries(
  Object.entries(paths).map(([name, [file]]) => [`^${name}$`, `<rootDir>/${file.slice(2)}`]),
);
const swc = {
  jsc: {
    target: 'es2024',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
};

/** What kills, pauses or disconnects something: it runs alone and last (`npm run test:faults`). */
const faults = '**/*.faults.spec.ts';

/** One project per size: `rules` needs nothing, `stores` a PostgreSQL and a Redis, `e2e` the five built services. */
const project = (displayName, testMatch, more = {}) => ({
  displayName,
  testMatch,
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { ...libraries, '^(\\.{1,2}/.*)\\.js$': '$1' },
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.data', '<rootDir>/.nx'],
  transform: {
    '\\.ts$': ['@swc/jest', { ...swc, module: { type: 'es6' } }],
    // `cookie` is published as ES modules only and required by a CommonJS package below fastify.
    '/node_modules/cookie/.*\\.js$': ['@swc/jest', { module: { type: 'commonjs' } }],
    '\\.(sql|lua)$': '<rootDir>/libs/testing/src/text-transform.mjs',
  },
  transformIgnorePatterns: ['/node_modules/(?!(?:[^/]+/node_modules/)?cookie/)'],
  ...more,
});
const needsStores = {
  globalSetup: '<rootDir>/libs/testing/src/global-setup.mjs',
  globalTeardown: '<rootDir>/libs/testing/src/global-teardown.mjs',
};

export default {
  // A Nest module leaks about 10 MB in ES-module mode: a worker restarts before that matters.
  workerIdleMemoryLimit: '600MB',
  maxWorkers: 2,
  testTimeout: 30_000,
  projects: [
    project('rules', [
      '<rootDir>/libs/{domain,contracts,platform,sdk}/**/*.spec.ts',
      '<rootDir>/apps/{bench,console,console-server}/src/**/*.spec.ts',
      `!${faults}`,
    ]),
    project(
      'stores',
      [
        '<rootDir>/libs/{data-access,queue,transport,service,testing,embedded}/**/*.spec.ts',
        '<rootDir>/apps/{gateway,engine,scheduler,webhooks,realtime}/**/*.spec.ts',
        '<rootDir>/{deploy,prisma}/**/*.spec.ts',
        `!${faults}`,
      ],
      needsStores,
    ),
    project('e2e', ['<rootDir>/apps/e2e/**/*.spec.ts', `!${faults}`], needsStores),
    project('faults', [faults, '!**/apps/console/**'], needsStores),
  ],
};
