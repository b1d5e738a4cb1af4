import { bootstrap, build, exitWith, generate } from './prepare.mjs';

// npm run build: bundles whose sources changed; `npm run build -- --force` builds all.
await bootstrap().catch(exitWith);
await generate();
const built = await build({ force: process.argv.includes('--force') });
if (built.length === 0) console.log('Everything is up to date.');
