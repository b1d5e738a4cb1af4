import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

// The table in the README, as rules: which layer may import which.
const layers = {
  domain: [],
  clock: ['domain'],
  contracts: ['domain'],
  'data-access': ['clock', 'domain'],
  transport: ['contracts', 'clock', 'domain'],
  platform: ['clock', 'domain'],
  queue: ['data-access', 'contracts', 'clock', 'domain'],
  service: ['queue', 'platform', 'data-access', 'transport', 'contracts', 'clock', 'domain'],
  // The stack of the services in the process of an application; its users meet the types of the SDK.
  embedded: ['sdk', 'service', 'queue', 'platform', 'data-access', 'contracts', 'clock', 'domain'],
  app: ['service', 'queue', 'platform', 'data-access', 'transport', 'contracts', 'clock', 'domain'],
  // Published on its own: it knows the product only by generated types (of contracts: `@spooled/contracts/grpc`).
  sdk: ['contracts'],
  // Static files for browsers; it speaks only REST and server-sent events.
  console: ['sdk'],
  // Uses the product like a customer. A project of its own, because all tests depend on `local`.
  demo: ['sdk'],
  local: ['platform', 'data-access', 'contracts', 'domain'],
  testing: [
    'service',
    'clock',
    'domain',
    'contracts',
    'data-access',
    'transport',
    'platform',
    'queue',
    'local',
    'sdk',
    'embedded',
  ],
  e2e: [
    'service',
    'clock',
    'domain',
    'contracts',
    'data-access',
    'transport',
    'platform',
    'queue',
    'local',
    'testing',
    'sdk',
    'embedded',
  ],
};
const constraints = (extra = []) =>
  Object.entries(layers).map(([layer, mayImport]) => ({
    sourceTag: `layer:${layer}`,
    onlyDependOnLibsWithTags: [layer, ...mayImport, ...extra].map((name) => `layer:${name}`),
  }));
const boundaries = (extra) => [
  'error',
  {
    enforceBuildableLibDependency: false,
    allow: [],
    depConstraints: constraints(extra),
    // Only specs may import `testing`, and those are no part of what `testing` itself uses: no real circle.
    ignoredCircularDependencies: [['*', 'testing']],
  },
];

// Within these projects a folder may import only folders before it. docs/architecture.md draws the same order.
const directions = {
  'libs/queue/src': [
    ...[
      'step',
      'enqueue',
      'cancel',
      'retry',
      'claim',
      'complete',
      'fail',
      'renew',
      'progress',
      'release',
      'prioritize',
      'latencies',
    ],
    ...[
      'dependencies',
      'dead-letters',
      'queues',
      'schedules',
      'workers',
      'workflows',
      'recover',
      'operations',
      'tasks',
      'engine',
      'testing',
    ],
  ],
  'libs/transport/src': ['connection', 'credentials', 'limits', 'leases', 'push', 'events', 'deliveries', 'commands'],
  'apps/gateway/src': [
    ...['http', 'load', 'auth', 'audit', 'grpc', 'health', 'metrics', 'openapi', 'proxy'],
    ...['tenants', 'admin', 'console', 'dashboard', 'series', 'queues', 'explain', 'problems', 'workers'],
    ...['outgoing-webhooks', 'inbound-webhooks'],
    ...['jobs', 'dead-letters', 'operations', 'schedules', 'workflows', 'work', 'grpc-server'],
  ],
};
for (const [root, folders] of Object.entries(directions)) {
  const unlisted = readdirSync(join(import.meta.dirname, root), { withFileTypes: true }).filter(
    (e) => e.isDirectory() && !folders.includes(e.name),
  );
  if (unlisted.length > 0) throw new Error(`eslint.config.mjs: place ${root}/${unlisted[0].name} in "directions"`);
}
const oneWay = Object.entries(directions).flatMap(([root, folders]) =>
  folders.map((folder, i) => ({
    files: [`${root}/${folder}/**/*.ts`],
    ignores: ['**/*.{spec,fixture}.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: [...folders.slice(i + 1).map((later) => `../${later}/*.js`), '../*.module.js', '../create-*.js'],
              message: `${folder}/ may import only folders before it in "directions" (eslint.config.mjs).`,
            },
          ],
        },
      ],
    },
  })),
);

// A spec asserts what happened, in which order and how often; it moves a clock or waits with `eventually`. Promised figures
// are checked by `npm run bench`.
const specTime =
  'in a spec: move a Clock, wait with `eventually`, or use `fromNow` of @spooled/testing for a time of an input';
const noClocks = [
  ['CallExpression[callee.object.name=/^(Date|performance)$/][callee.property.name="now"]', `No clock ${specTime}.`],
  ['CallExpression[callee.object.name="process"][callee.property.name="hrtime"]', `No clock ${specTime}.`],
  ['NewExpression[callee.name="Date"][arguments.length=0]', `No clock ${specTime}.`],
  ['CallExpression[callee.name="setTimeout"]', `No sleep ${specTime}.`],
  [
    'ImportDeclaration[source.value="node:timers/promises"] [imported.name=/^set(Timeout|Interval)$/]',
    `No sleep ${specTime}.`,
  ],
  [
    'CallExpression[callee.property.name=/^toBe(Less|Greater)Than/] CallExpression[callee.name="expect"] > [name=/^(ms|elapsed|took)|AfterMs$/]',
    'No bound of milliseconds in a spec: print the figure in `npm run bench`.',
  ],
].map(([selector, message]) => ({ selector, message }));

/** Specs from before this rule; the list only shrinks. */
const specsWithClocks = [
  'apps/gateway/src/auth/api-key-cache.spec.ts',
  'apps/scheduler/src/retention/retention.task.spec.ts',
  'apps/scheduler/src/tasks/task-loop.spec.ts',
  'libs/contracts/src/rest/bounds.spec.ts',
  'libs/data-access/src/credentials/credential-feed.spec.ts',
  'libs/queue/src/engine/blocked-tenants.spec.ts',
  'libs/sdk/src/signatures.spec.ts',
  'libs/service/src/leases/leases-in-redis.spec.ts',
  'libs/transport/src/commands/command-stream.spec.ts',
  'libs/transport/src/connection/servers.spec.ts',
  'libs/transport/src/leases/redis-leases.spec.ts',
  'libs/transport/src/limits/rate-limiter.spec.ts',
];

// One program for all files takes 40 s of CPU; one for each project, in a process of its own, 190 s (measured on 2 cores).
const types = process.env.LINT_EVERYTHING
  ? { project: ['./tsconfig.json', './apps/console/tsconfig.json'] }
  : { projectService: true };

export default tseslint.config(
  {
    ignores: [
      'node_modules',
      'dist',
      '.data',
      '.nx',
      'coverage',
      'libs/data-access/src/generated',
      'libs/contracts/src/grpc/generated',
      '**/*.queries.ts',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    plugins: { '@nx': nx },
    languageOptions: {
      parserOptions: {
        ...types,
        tsconfigRootDir: import.meta.dirname,
        emitDecoratorMetadata: true,
        experimentalDecorators: true,
      },
    },
    rules: {
      '@nx/enforce-module-boundaries': boundaries(),
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      eqeqeq: ['error', 'smart'],
      'no-console': 'error',
    },
  },
  ...oneWay,
  {
    files: ['**/*.spec.ts', '**/*.fixture.ts', 'apps/console/e2e/**/*.ts'],
    rules: { '@nx/enforce-module-boundaries': boundaries(['testing']) },
  },
  {
    files: ['**/*.spec.ts'],
    ignores: ['**/*.faults.spec.ts', ...specsWithClocks],
    rules: { 'no-restricted-syntax': ['error', ...noClocks] },
  },
  {
    files: ['apps/console/src/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: { 'react-hooks/rules-of-hooks': 'error', 'react-hooks/exhaustive-deps': 'error' },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        AbortController: 'readonly',
        fetch: 'readonly',
        Buffer: 'readonly',
      },
    },
  },
);
