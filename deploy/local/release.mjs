import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { bootstrap, exitWith, root } from './prepare.mjs';

// npm run release -- [<version>] [--dry-run] [--skip-tests]: checks and tests, writes version and changelog, builds the packages of SDK,
// embedded mode, command line and development system into dist/packages, commits and tags. Nothing is pushed. A dry run does all this, but undoes it
// instead of committing. Without a version it releases that of package.json.

const packages = 'dist/packages';

process.chdir(root);
await bootstrap().catch(exitWith);
// Node 26, on which this runs from here on, reads TypeScript.
const { isVersion, releasedChangelog, versioned, withVersion } = await import('./release-texts.ts');
try {
  await release(
    parseArgs({
      allowPositionals: true,
      options: { 'dry-run': { type: 'boolean' }, 'skip-tests': { type: 'boolean' } },
    }),
  );
} catch (error) {
  exitWith(error);
}

async function release({
  positionals: [wanted],
  values: { 'dry-run': dryRun = false, 'skip-tests': skipTests = false },
}) {
  const { version: current } = JSON.parse(readFileSync('package.json', 'utf8'));
  const version = wanted ?? current;
  const tag = `v${version}`;
  if (!isVersion(version)) throw new Error(`"${version}" is not a version such as 1.2.3`);
  const changes = git('status', '--porcelain');
  if (changes) throw new Error(`The tree is not clean; commit or remove these first:\n${changes}`);
  if (git('tag', '--list', tag))
    throw new Error(`${tag} exists already: name the next version, npm run release -- <version>`);
  const texts = nextTexts(current, version);

  if (!skipTests) for (const script of ['test', 'test:faults']) npm('run', script);
  try {
    for (const [file, text] of texts) writeFileSync(file, text);
    buildPackages();
    if (!dryRun) git('commit', '--quiet', '--message', `Release ${version}`, '--', ...texts.keys());
  } catch (error) {
    git('restore', '--', ...texts.keys());
    throw error;
  }
  if (dryRun) {
    git('restore', '--', ...texts.keys());
    console.log(`Dry run of ${version}: nothing is committed or tagged. Packages are in ${packages}.`);
    return;
  }
  git('tag', '--annotate', '--message', `Spooled ${version}`, tag);
  console.log(
    `Released ${version}: commit and tag ${tag}, packages in ${packages}. To publish: git push --follow-tags, npm publish.`,
  );
}

/** Each file that changes, with its new text. Read before the tests, so that a missing heading is reported at once. */
function nextTexts(current, version) {
  const texts = new Map();
  for (const [file, prefixes] of Object.entries(versioned)) {
    const text = readFileSync(file, 'utf8');
    try {
      texts.set(file, withVersion(text, prefixes, current, version));
    } catch (error) {
      throw new Error(`${file} ${error.message}`, { cause: error });
    }
  }
  const date = new Date().toISOString().slice(0, 10);
  return texts.set('CHANGELOG.md', releasedChangelog(readFileSync('CHANGELOG.md', 'utf8'), version, date));
}

function buildPackages() {
  npm('run', 'build:sdk');
  npm('run', 'build:embedded');
  npm('run', 'build:cli');
  npm('run', 'build:dev');
  rmSync(packages, { recursive: true, force: true });
  mkdirSync(packages, { recursive: true });
  for (const name of ['sdk', 'embedded', 'cli', 'dev']) npm('pack', `./dist/${name}`, '--pack-destination', packages);
  // The bill of materials belongs to what is published.
  npm('run', 'supply-chain');
  copyFileSync('dist/sbom.cdx.json', `${packages}/sbom.cdx.json`);
}

function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
}

/** Runs npm in sight. @throws Error if it fails */
function npm(...args) {
  const { status } = spawnSync('npm', args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed, see above; nothing was released`);
}
