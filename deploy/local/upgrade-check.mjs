import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readRows, refuse, runFaultSpec } from './fault-run.mjs';
import { root, runQuietly } from './prepare.mjs';
import { step } from './terminal.mjs';
import { prepareTests } from './test-run.mjs';

// npm run upgrade:check -- [--from <tag or commit>]: builds the older version (default: the last tag) in a temporary folder, upgrades it to
// this one under recorded load, and prints a row for each phase. Exit code 1 if a promise is broken, 2 if there is nothing to upgrade from.

const { values } = parseArgs({ options: { from: { type: 'string' } } });
const commit = older(values.from);
await prepareTests();
const from = await builtVersion(commit);
const spec = 'apps/e2e/src/upgrade/upgrade-run.faults.spec.ts';
const code = await runFaultSpec('upgrade', spec, { from });
print(readRows('upgrade'));
process.exit(code);

/** The commit to upgrade from. Ends the script when there is none, or none that can be upgraded. */
function older(name = lastTag()) {
  if (!name)
    refuse('No version is tagged here: name a commit to upgrade from, npm run upgrade:check -- --from <commit>.');
  const found = git('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`);
  if (found.status !== 0) refuse(`"${name}" is no tag or commit of this checkout.`);
  const commit = found.stdout.trim();
  const changed = changedMigrations(commit);
  if (changed.length > 0)
    refuse(
      `No database of ${name} can be upgraded, because ${changed.join(', ')} has been changed since: name a later commit.`,
    );
  return commit;
}

function lastTag() {
  const described = git('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*');
  return described.status === 0 ? described.stdout.trim() : undefined;
}

/** Migrations that another text has replaced: the runner refuses a database that has them. */
function changedMigrations(commit) {
  const listed = git('ls-tree', '-r', '--name-only', '--full-tree', commit, 'prisma/migrations').stdout;
  const files = listed.split('\n').filter((file) => file.endsWith('/migration.sql'));
  return files.filter(
    (file) =>
      !existsSync(join(root, file)) ||
      git('show', `${commit}:${file}`).stdout !== readFileSync(join(root, file), 'utf8'),
  );
}

/** @returns the folder with the built services of a commit; it is removed when this process ends */
async function builtVersion(commit) {
  const folder = mkdtempSync(join(tmpdir(), 'spooled-upgrade-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  try {
    const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 28 });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
    // Otherwise the older version installs its own.
    const lock = 'package-lock.json';
    if (readFileSync(join(folder, lock), 'utf8') === readFileSync(join(root, lock), 'utf8'))
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const projects = ['gateway', 'engine', 'scheduler', 'webhooks', 'realtime', 'prisma'].join();
    const nx = ['deploy/local/nx.mjs', 'run-many', '--targets=build', '--projects', projects];
    await step(`building ${commit.slice(0, 12)}`, () => runQuietly(process.execPath, nx, {}, folder));
  } catch (error) {
    refuse(error.message);
  }
  return folder;
}

function print(rows) {
  console.table(
    rows.map(({ errors, violations, burnt, ...row }) => ({
      ...row,
      'attempts burnt': burnt,
      violations: violations.length,
      errors: Object.entries(errors)
        .map(([kind, count]) => `${count} × ${kind}`)
        .join(', '),
    })),
  );
  for (const { phase, violations } of rows) for (const violation of violations) console.log(`${phase}: ${violation}`);
}

function git(...args) {
  return spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
}
