import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '@spooled/testing';
import { useStack } from './use-rest.js';
import { installPackages } from './installed-packages.js';

const run = promisify(execFile);

/** A typed job at the services and in the process of the application. With `require` and `import` it gets the same modules. */
const program = `
const sdk = require('spooled-sdk');
const embedded = require('spooled-embedded');

(async () => {
  console.log((await import('spooled-sdk')).connect === sdk.connect);
  console.log((await import('spooled-embedded')).connect === embedded.connect);
  const { SPOOLED_URL, GRPC_ADDRESS, DATABASE_URL, ORGANIZATION } = process.env;
  for (const [url, options] of [
    [SPOOLED_URL],
    [SPOOLED_URL, { transport: 'grpc', grpcAddress: GRPC_ADDRESS }],
    [DATABASE_URL, { embedded: { organization: ORGANIZATION, migrate: false, maintenance: false } }],
  ]) {
    const greet = sdk.defineJob('greet').handle(({ name }) => ({ text: 'Hello ' + name }));
    const app = await embedded.connect(url, { ...options, logger: false });
    await app.work([greet]);
    console.log((await greet.enqueueAndWait({ name: 'Ada' })).text);
    await app.stop();
  }
})();
`;
interface Manifest {
  version: string;
  engines: { node: string };
}

const installed = (name: string): string => join(root, 'node_modules', name, 'bin/node');
const oldest = installed('older-node-22');
/** The older ones are packages for one platform. */
const older = process.platform === 'linux' && process.arch === 'x64' ? [oldest, installed('older-node-24')] : [];

describe('BX-18 the built packages on each version of Node.js', () => {
  let folder: string;
  const stack = useStack();
  beforeAll(async () => {
    folder = installPackages();
    writeFileSync(join(folder, 'app.cjs'), program);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([...older, process.execPath])(
    'run a typed job in both modes, as ES modules and with require: %s',
    async (node) => {
      const url = new URL(stack.baseUrl);
      url.username = stack.apiKey;
      const env = {
        SPOOLED_URL: url.href,
        DATABASE_URL: stack.databaseUrls.appUrl,
        GRPC_ADDRESS: stack.grpcAddresses[0],
        ORGANIZATION: stack.organizationId,
      };
      const { stdout } = await run(node, ['app.cjs'], { cwd: folder, env });
      expect(stdout).toBe(`true\ntrue\n${'Hello Ada\n'.repeat(3)}`);
    },
  );

  it.each(older.slice(0, 1))('run commands: %s', async (node) => {
    const env = { SPOOLED_URL: stack.baseUrl, SPOOLED_API_KEY: stack.apiKey };
    const { stdout } = await run(node, [join(root, 'dist/cli/spooled.js'), 'queues', 'list'], { env });
    expect(stdout).toContain('greet');
  });

  it('are tested on the oldest that they allow', () => {
    const read = (path: string) => JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as Manifest;
    const { version } = read('node_modules/older-node-22');
    expect(['sdk', 'embedded', 'cli'].map((name) => read(`dist/${name}`).engines.node)).toEqual(
      Array(3).fill(`>=${version.replace(/^v|\.0$/g, '')}`),
    );
  });
});
