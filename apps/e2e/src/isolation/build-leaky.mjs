import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { apiDocuments, bundleOptions } from '../../../../rolldown.config.mjs';

// node build-leaky.mjs <folder> <JSON of [{file, change: [from, to]}]>: a copy of the checkout by links, with a gateway that has these
// changes.

const [folder, json] = process.argv.slice(2);
const changes = JSON.parse(json);
const checkout = process.cwd();
const link = (path) => symlinkSync(join(checkout, path), join(folder, path));

mkdirSync(join(folder, 'dist/apps'), { recursive: true });
for (const entry of readdirSync(checkout)) if (!['dist', '.git', '.data', '.nx'].includes(entry)) link(entry);
for (const name of readdirSync(join(checkout, 'dist/apps'))) if (name !== 'gateway') link(join('dist/apps', name));

const found = new Set();
const planted = {
  name: 'planted',
  load(id) {
    const own = changes.filter(({ file }) => id === join(checkout, file));
    if (own.length === 0) return null;
    let code = readFileSync(id, 'utf8');
    for (const { file, change } of own) {
      if (!code.includes(change[0])) throw new Error(`${file} has no "${change[0]}"`);
      found.add(file);
      code = code.replace(change[0], () => change[1]);
    }
    return { code, moduleType: id.endsWith('.sql') ? 'text' : 'ts' };
  },
};
await build({
  ...bundleOptions,
  plugins: [planted, apiDocuments],
  input: { main: 'apps/gateway/src/main.ts', 'check-thread': 'libs/service/src/payload-contracts/check-thread.ts' },
  logLevel: 'warn',
  output: {
    dir: join(folder, 'dist/apps/gateway'),
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
  },
});
for (const { file } of changes) if (!found.has(file)) throw new Error(`${file} is not part of the gateway`);
