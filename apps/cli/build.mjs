import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { buildPackage } from '../../libs/build-package.mjs';
import { bundleOptions } from '../../rolldown.config.mjs';

// npm run build:cli: the package as it is published, in dist/cli.

const { treeshake } = bundleOptions;

const out = await buildPackage({
  folder: import.meta.dirname,
  entries: ['spooled'],
  // A program: nobody imports it.
  types: false,
  // Commands need neither worker nor gRPC of the SDK.
  treeshake: {
    ...treeshake,
    moduleSideEffects: [...treeshake.moduleSideEffects, { test: /\/libs\//, sideEffects: false }],
  },
});
chmodSync(join(out, 'spooled.js'), 0o755);
