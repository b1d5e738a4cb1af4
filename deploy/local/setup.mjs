import { bootstrap, build, exitWith, generate } from './prepare.mjs';

// npm run setup: everything that a start needs, without starting anything.
await bootstrap().catch(exitWith);
await generate();
await build();
