import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { continueOnSupportedNode, requireInstaller } from './node-runtime.mjs';
import { step } from './terminal.mjs';

// Plain JavaScript that needs no package, because it runs before there are any.

export const root = join(import.meta.dirname, '../..');
const at = (path) => join(root, path);

/** Installs packages when they are missing, then returns on the supported Node only. Every script starts with this. */
export async function bootstrap() {
  requireInstaller();
  await install();
  await continueOnSupportedNode();
}

/** How a script ends that cannot continue: with the reason alone. */
export function exitWith(error) {
  console.error(`\n${error.message}`);
  process.exit(1);
}

/** Runs a program in this checkout, or in another; its output is shown only when it fails. */
export function runQuietly(program, args, env = {}, cwd = root) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => (output = (output + data).slice(-20_000)));
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${program} ${args.join(' ')} failed (${code}):\n${output}`)),
    );
  });
}

/** The pinned Node brings certificate authorities of its own; behind a proxy npm needs those of the machine too. */
const trustSystem = { NODE_USE_SYSTEM_CA: '1' };

/** `npm ci` when node_modules is missing or does not hold what package-lock.json asks for. */
async function install() {
  if (isInstalled()) return;
  await step('installing packages (npm ci)', () =>
    runQuietly('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline'], trustSystem),
  );
}

/** npm writes what it installed to node_modules/.package-lock.json, as the last thing it does. */
function isInstalled() {
  const note = at('node_modules/.package-lock.json');
  if (!existsSync(note)) return false;
  const wanted = JSON.parse(readFileSync(at('package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(note, 'utf8')).packages;
  return Object.entries(wanted).every(
    ([path, { link, ...entry }]) =>
      !path ||
      link ||
      (entry.optional && !isForHere(entry) && !installed[path]) ||
      installed[path]?.version === entry.version,
  );
}

/** A package for this system alone. Of those for a C library npm installs one or the other. */
const isForHere = ({ os, cpu, libc }) =>
  !libc && [os].flat().includes(process.platform) && [cpu].flat().includes(process.arch);

/** Nx on this Node, as the first arguments of `spawn`. */
export const nxCommand = (args) => [process.execPath, [at('node_modules/.bin/nx'), ...args]];

/**
 * Runs Nx, in sight or with its output in a file; resolves with its exit code. A signal is passed on and ends this process when Nx has
 * ended; Nx ends with this process. Signals go to a process group, because Nx itself leaves tasks behind on SIGTERM.
 */
export async function runNx(args, output = 'inherit') {
  const child = spawn(...nxCommand(args), { stdio: ['ignore', output, output], detached: true });
  let interrupted = false;
  const onSignal = (signal) => {
    interrupted = true;
    process.kill(-child.pid, signal);
  };
  const onExit = () => process.kill(-child.pid, 'SIGTERM');
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, onSignal);
  process.on('exit', onExit);
  const [code] = await once(child, 'close');
  for (const signal of signals) process.off(signal, onSignal);
  process.off('exit', onExit);
  if (interrupted) process.exit(code ?? 1);
  return code ?? 1;
}

/**
 * Builds what changed of these Nx projects, or of all; what did not comes from Nx's cache. Nothing is done below a test run
 * (SPOOLED_SKIP_BUILD): Nx writes files of dist/ again that other tests are using.
 */
export async function build(...projects) {
  if (process.env.SPOOLED_SKIP_BUILD) return;
  const chosen = projects.length === 0 ? [] : ['--projects', projects.join()];
  const [program, args] = nxCommand(['run-many', '--targets=build', ...chosen]);
  await step('building what changed', () => runQuietly(program, args));
}
