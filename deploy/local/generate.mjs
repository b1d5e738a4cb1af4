import { bootstrap, exitWith, generate } from './prepare.mjs';

// npm run generate: the Prisma client, when the schema changed.
await bootstrap().catch(exitWith);
await generate();
