import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'rolldown';
import { bundleOptions } from '../../../rolldown.config.mjs';

const root = join(import.meta.dirname, '../../..');

/** A run holds one of these ports, which makes it this number among the runs side by side; see deploy/local/ports.ts. */
const runPorts = [19_990, 19_991, 19_992, 19_993];

async function takeRunNumber() {
  for (const [number, port] of runPorts.entries()) {
    const lock = createServer();
    const isOurs = await new Promise((resolve) => {
      lock.once('error', () => resolve(false));
      lock.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isOurs) continue;
    // Until this process ends.
    lock.unref();
    return String(number);
  }
  return '';
}

/**
 * Jest applies neither aliases nor its transform to ES modules here, so the set-up is bundled first, as a service is.
 * Parallel runs must not write the same file.
 */
export default async function setUp() {
  // Launchers that specs start use the existing bundles.
  process.env.SPOOLED_SKIP_BUILD = '1';
  process.env.SPOOLED_TEST_RUN = await takeRunNumber();
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
