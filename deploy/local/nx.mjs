import { spawnSync } from 'node:child_process';
import { bootstrap, exitWith, nxCommand } from './prepare.mjs';

// What `npm run build`, `npm run lint` and others are names for: Nx with these arguments, on a bare machine too.
await bootstrap().catch(exitWith);
const { status } = spawnSync(...nxCommand(process.argv.slice(2)), { stdio: 'inherit' });
process.exit(status ?? 1);
