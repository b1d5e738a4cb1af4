import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type OxlintOverride } from 'oxlint';

// The table in the README, as rules: which layer may import which.
const layers: Record<string, string[]> = {
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
  // Speaks only the public API, like the console; `doctor` reads the stores that an operator names, and explains their errors
  // in the words of the services (domain).
  cli: ['sdk', 'domain'],
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
/** Its 530 files are for the generator of the OpenAPI document, and are not installed where services run (decision 82). */
const ofGenerator = ['@nestjs/swagger'];

interface Boundaries {
  /** Layers that all may import. */
  extra?: string[];
  /** Packages that none may import. */
  bannedExternalImports?: string[];
}
const boundaries = ({ extra = [], bannedExternalImports = ofGenerator }: Boundaries = {}): ['error', object] => [
  'error',
  {
    enforceBuildableLibDependency: false,
    allow: [],
    depConstraints: Object.entries(layers).map(([layer, mayImport]) => ({
      sourceTag: `layer:${layer}`,
      onlyDependOnLibsWithTags: [layer, ...mayImport, ...extra].map((name) => `layer:${name}`),
      bannedExternalImports,
    })),
    // Only specs may import `testing`, and those are no part of what `testing` itself uses: no real circle.
    ignoredCircularDependencies: [['*', 'testing']],
  },
];

// Within these projects a folder may import only folders before it. docs/architecture.md draws the same order.
const directions: Record<string, string[]> = {
  'libs/queue/src': [
    'step',
    'enqueue',
    'cancel',
    'expire',
    'retry',
    'claim',
    'complete',
    'fail',
    'renew',
    'progress',
    'release',
    'job-logs',
    'job-steps',
    'prioritize',
    'latencies',
    'dependencies',
    'dead-letters',
    'queues',
    'schedules',
    'workers',
    'batches',
    'workflows',
    'recover',
    'operations',
    'tasks',
    'engine',
    'testing',
  ],
  'libs/transport/src': ['connection', 'credentials', 'limits', 'leases', 'push', 'events', 'deliveries', 'commands'],
  'apps/gateway/src': [
    'http',
    'load',
    'auth',
    'audit',
    'grpc',
    'health',
    'metrics',
    'openapi',
    'proxy',
    'tenants',
    'admin',
    'console',
    'figures',
    'conditions',
    'dashboard',
    'series',
    'queues',
    'throttles',
    'explain',
    'problems',
    'workers',
    'outgoing-webhooks',
    'inbound-webhooks',
    'jobs',
    'dead-letters',
    'operations',
    'schedules',
    'batches',
    'workflows',
    'work',
    'grpc-server',
  ],
};
for (const [root, folders] of Object.entries(directions)) {
  const unlisted = readdirSync(join(import.meta.dirname, root), { withFileTypes: true }).filter(
    (e) => e.isDirectory() && !folders.includes(e.name),
  );
  if (unlisted.length > 0) throw new Error(`oxlint.config.ts: place ${root}/${unlisted[0]!.name} in "directions"`);
}
const oneWay = Object.entries(directions).flatMap(([root, folders]) =>
  folders.map((folder, i): OxlintOverride => ({
    files: [`${root}/${folder}/**/*.ts`],
    excludeFiles: ['**/*.{spec,fixture}.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: [...folders.slice(i + 1).map((later) => `../${later}/*.js`), '../*.module.js', '../create-*.js'],
              message: `${folder}/ may import only folders before it in "directions" (oxlint.config.ts).`,
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

// What decides by time takes a Clock (decision 166).
const sourceClocks = [
  'CallExpression[callee.object.name=/^(Date|performance)$/][callee.property.name="now"]',
  'CallExpression[callee.name=/^set(Timeout|Interval)$/]',
  'ImportDeclaration[source.value="node:timers/promises"]',
].map((selector) => ({ selector, message: 'What decides by time takes a Clock (decision 166).' }));
const sourcesOfTime = [
  'libs/{data-access,queue,sdk,service,transport}/src/**/*.ts',
  'apps/{gateway,realtime,scheduler,webhooks}/src/**/*.ts',
];
/** They only measure for a log, a metric or a limit that adapts to real work, or are the clock. */
const measures = [
  'apps/gateway/src/grpc/{grpc-access-log,unary-calls}.ts',
  'apps/gateway/src/work/process-jobs-grpc.handler.ts',
  'apps/scheduler/src/tasks/task-report.ts',
  'apps/webhooks/src/deliver/webhook-test.service.ts',
  'libs/queue/src/engine/job-engine.ts',
  'libs/sdk/src/{worker/clock,http/sleep}.ts',
];
/** Sources from before this rule; the list only shrinks. */
const sourcesWithClocks = [
  'apps/gateway/src/auth/sessions.service.ts',
  'apps/gateway/src/console/console-sessions.service.ts',
  'apps/gateway/src/dashboard/dashboard.controller.ts',
  'apps/gateway/src/grpc-server/grpc-server.ts',
  'apps/gateway/src/http/handler-timeout.ts',
  'apps/gateway/src/load/in-flight-requests.ts',
  'apps/gateway/src/tenants/api-keys.service.ts',
  'apps/gateway/src/work/pushed-jobs.ts',
  'apps/realtime/src/sse/job-watch.service.ts',
  'apps/realtime/src/sse/queue-watch.service.ts',
  'apps/realtime/src/streams/credential-watch.service.ts',
  'apps/realtime/src/streams/health-broadcaster.service.ts',
  'apps/realtime/src/websocket/websocket-stream.ts',
  'apps/scheduler/src/gauges/gauges.task.ts',
  'apps/webhooks/src/callback/callback-client.ts',
  'apps/webhooks/src/deliver/deliverer.service.ts',
  'apps/webhooks/src/deliver/delivery-workers.ts',
  'apps/webhooks/src/ingest/ingestion.service.ts',
  'libs/data-access/src/migrate/roles.ts',
  'libs/sdk/src/grpc/grpc-client.ts',
  'libs/sdk/src/realtime/stream.ts',
  'libs/sdk/src/signatures.ts',
  'libs/transport/src/connection/cluster-connector.ts',
];

/** Specs from before this rule; the list only shrinks. */
const specsWithClocks = [
  'libs/queue/src/engine/blocked-tenants.spec.ts',
  'libs/sdk/src/signatures.spec.ts',
  'libs/service/src/leases/leases-in-redis.spec.ts',
  'libs/transport/src/commands/command-stream.spec.ts',
  'libs/transport/src/connection/servers.spec.ts',
  'libs/transport/src/leases/redis-leases.spec.ts',
  'libs/transport/src/limits/rate-limiter.spec.ts',
];

export default defineConfig({
  plugins: ['typescript'],
  // Both are pinned: Oxlint may change its interface for such plugins in any version.
  jsPlugins: ['@nx/eslint-plugin', { name: 'eslint-js', specifier: 'oxlint-plugin-eslint' }],
  options: { typeAware: true },
  categories: { correctness: 'error' },
  ignorePatterns: [
    'node_modules',
    'dist',
    '.data',
    '.nx',
    'coverage',
    'libs/contracts/src/grpc/generated',
    '**/*.queries.ts',
  ],
  rules: {
    eqeqeq: ['error', 'smart'],
    'no-console': 'off',
    'no-unsafe-optional-chaining': 'off', // TypeScript finds these.
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    // Judgements of types that are right here: sorted identifiers, Jest's methods, errors of unknown type in texts.
    'typescript/no-base-to-string': 'off',
    'typescript/no-meaningless-void-operator': 'off',
    'typescript/no-misused-spread': 'off',
    'typescript/no-redundant-type-constituents': 'off',
    'typescript/no-useless-default-assignment': 'off',
    'typescript/require-array-sort-compare': 'off',
    'typescript/restrict-template-expressions': 'off',
    'typescript/unbound-method': 'off',
  },
  overrides: [
    {
      files: ['**/*.{ts,tsx}'],
      rules: {
        '@nx/enforce-module-boundaries': boundaries(),
        'no-console': 'error',
        'no-var': 'error',
        'prefer-const': 'error',
        'typescript/ban-ts-comment': 'error',
        'typescript/no-explicit-any': 'error',
        'typescript/no-floating-promises': 'error',
        'typescript/no-misused-promises': 'error',
        'typescript/no-require-imports': 'error',
      },
    },
    {
      // Applications, which print, and tests of node:test, which waits for them.
      files: ['examples/**/*.ts'],
      rules: { 'no-console': 'off', 'typescript/no-floating-promises': 'off' },
    },
    {
      files: ['{apps,deploy,libs}/**/*.{ts,tsx}'],
      // Nest finds what to inject by classes in the types of constructors; an import of types would erase them.
      excludeFiles: ['apps/{gateway,engine,scheduler,webhooks,realtime}/**', 'libs/{service,platform}/**'],
      rules: { 'typescript/consistent-type-imports': 'error' },
    },
    ...oneWay,
    {
      files: ['**/*.spec.ts', '**/*.fixture.ts', 'apps/console/e2e/**/*.ts'],
      rules: { '@nx/enforce-module-boundaries': boundaries({ extra: ['testing'] }) },
    },
    {
      files: ['apps/gateway/src/openapi/generator/**/*.ts'],
      rules: { '@nx/enforce-module-boundaries': boundaries({ bannedExternalImports: [] }) },
    },
    {
      files: ['**/*.spec.ts'],
      excludeFiles: ['**/*.faults.spec.ts', ...specsWithClocks],
      rules: { 'eslint-js/no-restricted-syntax': ['error', ...noClocks] },
    },
    {
      files: sourcesOfTime,
      excludeFiles: ['**/*.{spec,fixture}.ts', '**/testing/**', ...measures, ...sourcesWithClocks],
      rules: { 'eslint-js/no-restricted-syntax': ['error', ...sourceClocks] },
    },
    {
      files: ['apps/console/src/**/*.{ts,tsx}'],
      plugins: ['typescript', 'react'],
      rules: {
        'react/exhaustive-deps': 'error',
        'react/rules-of-hooks': 'error',
        // Rules of the React compiler, which builds nothing here.
        'react/immutability': 'off',
        'react/incompatible-library': 'off',
        'react/purity': 'off',
        'react/set-state-in-effect': 'off',
      },
    },
  ],
});
