import { buildPackage } from '../build-package.mjs';

// npm run build:sdk: the package as it is published, in dist/sdk.

await buildPackage({
  folder: import.meta.dirname,
  entries: ['index', 'outbox', 'browser', 'internal'],
  // The oldest Node version that its package.json allows.
  transform: { ...bundleOptions.transform, target: 'node20.19' },
=======
  entries: ['index', 'browser', 'internal'],
});
