import { cpSync, globSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { databaseFiles } from '../../deploy/local/database-files.mjs';
import { bundleOptions } from '../../rolldown.config.mjs';
import { buildPackage } from '../build-package.mjs';

// npm run build:embedded: the package as it is published, in dist/embedded.

const root = join(import.meta.dirname, '../..');
const { treeshake } = bundleOptions;

const out = await buildPackage({
  folder: import.meta.dirname,
  entries: ['index', 'testing', 'testing/jest', 'testing/vitest'],
  // The SDK stays a package of its own: its classes are the same in code that also uses a server.
  rename: (specifier) => specifier.replace(/^@spooled\/sdk\b/, 'spooled-sdk'),
  // Services share their index with Nest modules, which an application neither needs nor has installed.
  treeshake: {
    ...treeshake,
    moduleSideEffects: [...treeshake.moduleSideEffects, { test: /\/libs\//, sideEffects: false }],
  },
  external: (id, ...more) => /^@spooled\/sdk\b/.test(id) || bundleOptions.external(id, ...more),
});
copyDatabase();

/** What `migrate` applies, at the same paths as in the repository. */
function copyDatabase() {
  for (const file of globSync(Object.values(databaseFiles), { cwd: root })) {
    mkdirSync(dirname(join(out, 'database', file)), { recursive: true });
    cpSync(join(root, file), join(out, 'database', file));
  }
}
