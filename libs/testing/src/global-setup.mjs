import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'rolldown';
import { bundleOptions } from '../../../rolldown.config.mjs';

const root = join(import.meta.dirname, '../../..');

/**
 * Jest applies neither aliases nor its transform to ES modules here, so the set-up is bundled first, as a service is.
 * Parallel runs must not write the same file.
 */
export default async function setUp() {
  // Launchers that specs start use the existing bundles.
  process.env.SPOOLED_SKIP_BUILD = '1';
  const file = join(root, `dist/testing/server-${process.pid}.js`);
  await build({
    ...bundleOptions,
    cwd: root,
    input: 'libs/testing/src/test-server.ts',
    // Only two entry points of these libraries: an error in other parts of a library must not stop all tests.
    tsconfig: false,
    resolve: {
      alias: {
        '@spooled/data-access': join(root, 'libs/data-access/src/migrate/migrate.ts'),
        '@spooled/local': join(root, 'deploy/local/embedded-postgres.ts'),
      },
    },
    logLevel: 'warn',
    output: { file, format: 'esm', sourcemap: 'inline', codeSplitting: false },
  });
  try {
    const { startTestServer } = await import(pathToFileURL(file).href);
    globalThis.stopTestServer = await startTestServer(root);
  } finally {
    rmSync(file, { force: true });
  }
}
