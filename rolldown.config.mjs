import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'rolldown';
import { documentFor, servedDocuments } from './apps/gateway/src/openapi/served-documents.ts';
import { databaseRelease } from './deploy/local/database-files.mjs';
import { pinnedVersion } from './deploy/local/node-runtime.mjs';

const root = import.meta.dirname;
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** How every bundle is made: what runs, what tests load, and what an image holds are the same. */
export const bundleOptions = {
  cwd: root,
  platform: 'node',
  tsconfig: join(root, 'tsconfig.base.json'),
  moduleTypes: { '.sql': 'text', '.lua': 'text' },
  transform: {
    target: `node${pinnedVersion().split('.')[0]}`,
    define: {
      'process.env.SPOOLED_VERSION': JSON.stringify(version),
      'process.env.SPOOLED_DATABASE_RELEASE': JSON.stringify(JSON.stringify(databaseRelease(root))),
    },
  },
  // A library's index names everything that it has: without this a service would load, and keep in memory, the packages
  // of parts that it does not use. No package of ours is imported for a side effect.
  // Nor does a module of generated statements do anything but declare them.
  treeshake: {
    moduleSideEffects: [
      { external: true, sideEffects: false },
      { test: /\.queries\.ts$/, sideEffects: false },
    ],
  },
  // npm packages stay outside, except the decorator helpers that the compiler itself inserts.
  external: (id) => /^(node:|[a-z@])/.test(id) && !/^(@spooled\/|@oxc-project\/)/.test(id),
};

export const checkThread = 'libs/service/src/payload-contracts/check-thread.ts';

const services = readdirSync(join(root, 'apps')).filter((name) => existsSync(join(root, 'apps', name, 'src/main.ts')));

/** Services that check payloads, which takes another thread. */
const checking = new Set(['gateway', 'webhooks', 'scheduler']);
const entriesOf = (name) => ({
  main: `apps/${name}/src/main.ts`,
  ...(checking.has(name) && { 'check-thread': checkThread }),
});

/** The bundles of each Nx project, by their folder below dist/. */
const bundles = {
  ...Object.fromEntries(services.map((name) => [name, { [`apps/${name}`]: entriesOf(name) }])),
  prisma: { migrate: { main: 'prisma/migrate.ts' } },
  bench: {
    bench: { main: 'apps/bench/src/bench.ts', embedded: 'apps/bench/src/embedded/embedded-peer.ts' },
    capacity: { main: 'apps/bench/src/capacity/capacity.ts' },
  },
  local: { local: { main: 'deploy/local/main.ts' } },
  demo: { demo: { demo: 'deploy/demo/main.ts', seed: 'deploy/demo/seed.ts' } },
};

const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * V8 keeps the text of a module in memory, and with two bytes per character if any of them is not in Latin-1: 0.5 to 1.3 MB more for each
 * service, because of a few ellipses. All such characters are in strings and regular expressions.
 */
const latin1 = {
  name: 'latin1',
  // Not in renderChunk: strings are printed again after it.
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk') file.code = file.code.replaceAll(/[\u0100-\uffff]/g, escaped);
    }
  },
};

/** The OpenAPI document, made here because a gateway would take a second for it, in which it does nothing else. */
export const apiDocuments = {
  name: 'api-documents',
  async generateBundle() {
    for (const fileName of servedDocuments) {
      this.emitFile({ type: 'asset', fileName, source: await documentFor(root, fileName) });
    }
  },
};

const oldestNode = Number(pinnedVersion().split('.')[0]);

/** Without it an older Node ends with the stack of the first function that it lacks. */
const requireNode = `if (Number(process.versions.node.split('.')[0]) < ${oldestNode}) {
  console.error(\`Spooled needs Node.js ${oldestNode} or newer, and this is \${process.version}: install Node.js ${oldestNode}.\`);
  process.exit(1);
}`;

const bundleConfig = ([folder, input]) =>
  defineConfig({
    ...bundleOptions,
    plugins: folder === 'apps/gateway' ? [latin1, apiDocuments] : [latin1],
    input,
    output: {
      dir: `dist/${folder}`,
      format: 'esm',
      sourcemap: true,
      // The sources are in the checkout; a stack only needs their positions.
      sourcemapExcludeSources: true,
      comments: false,
      banner: requireNode,
      entryFileNames: '[name].js',
      chunkFileNames: '[name].js',
      cleanDir: true,
    },
  });

// Nx names the project whose target it runs. Specs read `bundleOptions` below targets of other projects.
const ofProject = bundles[process.env.NX_TASK_TARGET_PROJECT];
export default (ofProject ? [ofProject] : Object.values(bundles)).flatMap(Object.entries).map(bundleConfig);
