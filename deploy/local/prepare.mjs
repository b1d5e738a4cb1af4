import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { continueOnSupportedNode, requireInstaller } from './node-runtime.mjs';
import { step } from './terminal.mjs';

// Plain JavaScript that needs no package, because it runs before there are any.

export const root = join(import.meta.dirname, '../..');
const at = (path) => join(root, path);
const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const hashOf = (path) => (existsSync(at(path)) ? sha256(readFileSync(at(path))) : null);

/** Installs packages when they are missing, then returns on the supported Node only. Every script starts with this. */
export async function bootstrap() {
  requireInstaller();
  await install();
  await continueOnSupportedNode();
}

/** How a script ends that cannot go on: with the reason alone. */
export function exitWith(error) {
  console.error(`\n${error.message}`);
  process.exit(1);
}

/** Runs a program in the checkout; its output is shown only when it fails. */
export function runQuietly(program, args, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: root,
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
    ([path, { version, optional, link }]) =>
      !path || link || (optional && !installed[path]) || installed[path]?.version === version,
  );
}

/** The Prisma client, again only when the schema or Prisma itself changed. */
export async function generate() {
  const stamp = at('node_modules/.cache/spooled/prisma-client');
  const state = sha256(
    ['prisma/schema.prisma', 'prisma.config.ts', 'node_modules/prisma/package.json'].map(hashOf).join(),
  );
  const isThere = existsSync(at('libs/data-access/src/generated'));
  if (!existsSync(at('prisma/schema.prisma')) || (isThere && readIfThere(stamp) === state)) return;
  // Generating needs no schema engine, but Prisma would download one first.
  const env = { PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true', PRISMA_HIDE_UPDATE_MESSAGE: '1', CHECKPOINT_DISABLE: '1' };
  await step('generating the Prisma client', () =>
    runQuietly(process.execPath, ['node_modules/prisma/build/index.js', 'generate'], env),
  );
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, state);
}

const readIfThere = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : null);

/** What every bundle depends on besides its own modules. */
const buildSettings = () =>
  sha256(
    ['rolldown.config.mjs', 'package.json', 'tsconfig.base.json', 'node_modules/rolldown/package.json']
      .map(hashOf)
      .join(),
  );

/**
 * Builds the bundles whose sources changed since they were built, or all with `force`; with `only`, none but those.
 * @returns their folders below dist/, such as `apps/engine`
 */
export async function build({ force = false, only } = {}) {
  const settings = buildSettings();
  const { bundles, bundleConfig } = await import('../../rolldown.config.mjs');
  const stale = (only ?? Object.keys(bundles)).filter((folder) => force || !isFresh(folder, settings, bundles[folder]));
  if (stale.length === 0) return [];
  await step(`building ${stale.join(', ')}`, () =>
    Promise.all(stale.map((folder) => buildOne(folder, bundleConfig(folder), settings))),
  );
  return stale;
}

const stampOf = (folder) => at(`dist/${folder}/.sources.json`);

/** A new module can only come in through a change of one that was there, so the list of the last build is enough. */
function isFresh(folder, settings, entries) {
  const stamp = JSON.parse(readIfThere(stampOf(folder)) ?? '{}');
  if (stamp.settings !== settings || Object.values(entries).some((file) => !stamp.sources[file])) return false;
  return Object.entries(stamp.sources).every(([file, hash]) => hashOf(file) === hash);
}

async function buildOne(folder, config, settings) {
  const { rolldown } = await import('rolldown');
  const sources = {};
  const noteSources = {
    name: 'note-sources',
    moduleParsed({ id }) {
      const file = relative(root, id);
      if (hashOf(file)) sources[file] = hashOf(file);
    },
  };
  const bundle = await rolldown({ ...config, logLevel: 'warn', plugins: [noteSources] });
  try {
    await bundle.write(config.output);
    writeFileSync(stampOf(folder), JSON.stringify({ settings, sources }));
  } finally {
    await bundle.close();
  }
}
