import { execFileSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { bundleOptions } from '../../rolldown.config.mjs';

// npm run build:sdk: the package as it is published, in dist/sdk.

const root = join(import.meta.dirname, '../..');
const out = join(root, 'dist/sdk');
rmSync(out, { recursive: true, force: true });

const bundle = await rolldown({
  ...bundleOptions,
  input: {
    index: 'libs/sdk/src/index.ts',
    browser: 'libs/sdk/src/browser.ts',
    internal: 'libs/sdk/src/internal.ts',
  },
  // The oldest Node version that its package.json allows.
  transform: { ...bundleOptions.transform, target: 'node20.19' },
});
await bundle.write({
  dir: out,
  format: 'esm',
  sourcemap: true,
  entryFileNames: '[name].js',
  chunkFileNames: '[name].js',
});
await bundle.close();
const compiler = join(root, 'node_modules/ts7/bin/tsc');
execFileSync(process.execPath, [compiler, '-p', join(import.meta.dirname, 'tsconfig.build.json')], {
  stdio: 'inherit',
});
for (const name of ['package.json', 'README.md']) copyFileSync(join(import.meta.dirname, name), join(out, name));
copyFileSync(join(root, 'LICENSE'), join(out, 'LICENSE'));
