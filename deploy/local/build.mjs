import { build, generate, install, requireNode } from './prepare.mjs';

// npm run build: bundles whose sources changed; `npm run build -- --force` builds all.
requireNode();
await install();
await generate();
const built = await build({ force: process.argv.includes('--force') });
if (built.length === 0) console.log('Everything is up to date.');
