import { build, generate, install, requireNode } from './prepare.mjs';

// npm run setup: everything that a start needs, without starting anything.
requireNode();
await install();
await generate();
await build();
