import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import setUp from '../../../../libs/testing/src/global-setup.mjs';
import { bundleOptions } from '../../../../rolldown.config.mjs';

const root = join(import.meta.dirname, '../../../..');

/** Provides the PostgreSQL of this run, and the bundle with which the tests start services. */
export default async function globalSetup() {
  process.chdir(root);
  await setUp();
  const file = join(root, `dist/testing/console-stack-${process.pid}.js`);
  process.env.SPOOLED_CONSOLE_STACK = file;
  await build({
    ...bundleOptions,
    cwd: root,
    input: 'apps/console/e2e/setup/stack.ts',
    logLevel: 'warn',
    output: { file, format: 'esm', sourcemap: 'inline', codeSplitting: false },
  });
  return async () => {
    rmSync(file, { force: true });
    await globalThis.stopTestServer();
  };
}
