import { createServer } from 'node:http';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'rolldown';
import { bundleOptions, checkThread } from '../../../rolldown.config.mjs';

const root = join(import.meta.dirname, '../../..');

/** PostgreSQL, and shared stacks when a spec asks for the first one. */
export default async function setUp() {
  // Launchers that specs start use the existing bundles.
  process.env.SPOOLED_SKIP_BUILD = '1';
  await buildCheckThread();
  globalThis.stopTestServer = await startTestServer();
  globalThis.stopSharedStacks = await serveSharedStacks();
}

/** Threads need a bundle, because Node knows no aliases. */
async function buildCheckThread() {
  const folder = join(root, 'dist/testing');
  // Parallel runs must not read a file that is being written.
  const file = join(folder, `check-thread-${process.pid}.js`);
  const output = { file, format: 'esm', codeSplitting: false };
  await build({ ...bundleOptions, cwd: root, input: checkThread, logLevel: 'warn', output });
  renameSync(file, join(folder, 'check-thread.js'));
}

/** @returns the function that stops it */
export async function startTestServer() {
  // Only these entry points of the libraries: an error in other parts of a library must not stop all tests.
  const alias = {
    '@spooled/data-access': join(root, 'libs/data-access/src/migrate/migrate.ts'),
    '@spooled/domain': join(root, 'libs/domain/src/store-problems.ts'),
    '@spooled/local': join(root, 'deploy/local/embedded-postgres.ts'),
  };
  const server = await load('test-server', { tsconfig: false, resolve: { alias } });
  return server.startTestServer(root);
}

/** Answers for the stacks of all Jest workers; most runs need none, so nothing is loaded before. */
async function serveSharedStacks() {
  let host;
  const loadHost = async () => new (await load('stack-host')).StackHost();
  const server = createServer(async ({ url }, response) => {
    const [status, body] = await (host ??= loadHost())
      .then((loaded) => loaded.answer(url))
      .then(
        (answer) => [200, answer],
        (error) => [500, { error: error.message }],
      );
    // Later questions come after any idle time of a kept connection.
    response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(body));
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  server.unref();
  process.env.SPOOLED_TEST_STACKS = `http://127.0.0.1:${server.address().port}`;
  let stopped;
  const stop = async () => {
    server.close();
    await (await host)?.stop();
  };
  return () => (stopped ??= stop());
}

/**
 * Jest applies neither aliases nor its transform to ES modules here, so a module is bundled first, as a service is.
 * Parallel runs must not write the same file.
 */
async function load(name, more = {}) {
  const file = join(root, `dist/testing/${name}-${process.pid}.js`);
  await build({
    ...bundleOptions,
    cwd: root,
    input: `libs/testing/src/${name}.ts`,
    logLevel: 'warn',
    output: { file, format: 'esm', sourcemap: 'inline', codeSplitting: false },
    ...more,
  });
  try {
    return await import(pathToFileURL(file).href);
  } finally {
    rmSync(file, { force: true });
  }
}
