import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'rolldown';
import setUp from '../../../../libs/testing/src/global-setup.mjs';
import { bundleOptions } from '../../../../rolldown.config.mjs';

const root = join(import.meta.dirname, '../../../..');

/**
 * The console reads every four seconds what no event announces, a failed delivery is soon final, jobs have links to their traces, and isolation is
 * checked only at the start and on request.
 */
const env = {
  CONSOLE_REFRESH_MS: '4000',
  RATE_LIMIT_CONSOLE_PER_SECOND: '1000',
  OUTGOING_WEBHOOK_MAX_ATTEMPTS: '2',
  OUTGOING_WEBHOOK_RETRY_BASE_MS: '20',
  CONSOLE_TRACE_URL: 'https://traces.example.com/trace/{trace_id}',
  TASK_ISOLATION_INTERVAL_MS: '86400000',
};

/** Provides the PostgreSQL of this run, the bundle with which tests start services, and the stack that they share. */
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
  const { startStack } = await import(pathToFileURL(file).href);
  const stack = await startStack({ env });
  const { baseUrl, adminKey, databaseUrls } = stack;
  process.env.SPOOLED_CONSOLE_SHARED_STACK = JSON.stringify({ baseUrl, adminKey, databaseUrls });
  return async () => {
    await stack.stop();
    rmSync(file, { force: true });
    await globalThis.stopTestServer();
  };
}
