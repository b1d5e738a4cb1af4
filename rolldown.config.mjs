import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'rolldown';
import { pinnedVersion } from './deploy/local/node-runtime.mjs';

const root = import.meta.dirname;
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** How every bundle is made: what runs, what tests load, and what an image holds are the same. */
export const bundleOptions = {
  cwd: root,
  platform: 'node',
  tsconfig: join(root, 'tsconfig.base.json'),
  moduleTypes: { '.sql': 'text', '.lua': 'text', '.proto': 'text' },
  transform: {
    target: `node${pinnedVersion().split('.')[0]}`,
    define: { 'process.env.SPOOLED_VERSION': JSON.stringify(version) },
  },
  // A library's index names everything that it has: without this a service would load, and keep in memory, the packages
  // of parts that it does not use. No package of ours is imported for a side effect.
  treeshake: { moduleSideEffects: 'no-external' },
  // npm packages stay outside, except the decorator helpers that the compiler itself inserts.
  external: (id) => /^(node:|[a-z@])/.test(id) && !/^(@spooled\/|@oxc-project\/)/.test(id),
};

const services = readdirSync(join(root, 'apps')).filter((name) => existsSync(join(root, 'apps', name, 'src/main.ts')));
const local = ['main', 'demo'].filter((name) => existsSync(join(root, 'deploy/local', `${name}.ts`)));

/** Each bundle by its folder below dist/. */
export const bundles = Object.fromEntries([
  ...services.map((name) => [`apps/${name}`, { main: `apps/${name}/src/main.ts` }]),
  ['migrate', { main: 'prisma/migrate.ts' }],
  ['bench', { main: 'apps/bench/src/bench.ts' }],
  ['capacity', { main: 'apps/bench/src/capacity/capacity.ts' }],
  ['local', Object.fromEntries(local.map((name) => [name, `deploy/local/${name}.ts`]))],
]);

export const bundleConfig = (folder) =>
  defineConfig({
    ...bundleOptions,
    input: bundles[folder],
    output: {
      dir: `dist/${folder}`,
      format: 'esm',
      sourcemap: true,
      entryFileNames: '[name].js',
      chunkFileNames: '[name].js',
      cleanDir: true,
    },
  });

// APP=<name> builds one service; without it everything is built.
export default (process.env.APP ? [`apps/${process.env.APP}`] : Object.keys(bundles)).map(bundleConfig);
