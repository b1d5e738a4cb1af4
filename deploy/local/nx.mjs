import { bootstrap, exitWith, runNx } from './prepare.mjs';

// What `npm run build`, `npm run check` and others are names for: Nx with these arguments, on a bare machine too.
await bootstrap().catch(exitWith);
process.exit(await runNx(process.argv.slice(2)));
