import { generate, install, requireNode } from './prepare.mjs';

// npm run generate: the Prisma client, when the schema changed.
requireNode();
await install();
await generate();
