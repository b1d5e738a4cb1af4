import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { UsageError } from '../errors.js';
import { projectFiles } from '../init/files.js';
import type { Add, Cli } from '../session/cli.js';
import { version } from '../version.js';

/** `spooled init` (BX-17): a project with a job, its test and the database for both. It overwrites nothing. */
export function addInit(program: Command, add: Add): void {
  add(program, 'init', 'write a project: one job, its test, a compose file with PostgreSQL, .env', init).argument(
    '[folder]',
    'where; default: here',
  );
}

async function init({ out }: Cli, given: string | undefined): Promise<void> {
  const folder = resolve(given ?? '.');
  const files = projectFiles({ name: nameOf(folder), password: randomBytes(24).toString('hex'), version });
  const names = Object.keys(files);
  try {
    requireNone(folder, names);
    mkdirSync(folder, { recursive: true });
    // `.env` holds a password. `wx`: not over a file that has come in the meantime, nor through a link.
    for (const name of names) writeFileSync(join(folder, name), files[name]!, { flag: 'wx', mode: modeOf(name) });
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code, path = folder } = error as NodeJS.ErrnoException;
    throw new UsageError(`${path} cannot be written (${code})`);
  }
  const steps = ['npm install', 'docker compose up --wait', 'npm start', 'npm test'];
  const lines = [...names.map((name) => `wrote ${name}`), '', 'Next:', ...steps.map((step) => `  ${step}`)];
  await out.drawing({ folder, files: names, next: steps }, lines);
}

/** As npm allows it. */
function nameOf(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return name.slice(0, 100) || 'spooled-jobs';
}

const modeOf = (name: string): number => (name === '.env' ? 0o600 : 0o666);

/** A link that leads nowhere counts, too. @throws UsageError naming the files that exist */
function requireNone(folder: string, names: string[]): void {
  const existing = names.filter((name) => lstatSync(join(folder, name), { throwIfNoEntry: false }));
  if (existing.length > 0) throw new UsageError(`${existing.join(', ')}: exists in ${folder}, nothing was written`);
}
