import { buildPackage } from '../build-package.mjs';

// npm run build:sdk: the package as it is published, in dist/sdk.

await buildPackage({
  folder: import.meta.dirname,
  entries: ['index', 'outbox', 'browser', 'internal'],
});
