import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { bundleOptions } from '../rolldown.config.mjs';

const root = join(import.meta.dirname, '..');

/**
 * Builds a published package in dist/: one bundle of our libraries for the oldest Node that its package.json allows, types of the
 * entries, package.json and texts.
 * @param options `folder` (of the library), `entries` (names of modules in src), `rename` (from a library to the package that it is
 *   published as: it stays outside), `types` (false for a program, which has none); everything else goes to rolldown
 * @throws Error when the bundle imports a package that package.json does not name, or a public type shows another library
 */
export async function buildPackage({
  folder,
  entries,
  rename = (specifier) => specifier,
  types = true,
  output = {},
  ...options
}) {
  const out = join(root, 'dist', basename(folder));
  rmSync(out, { recursive: true, force: true });
  const { engines, dependencies, peerDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const bundle = await rolldown({
    ...bundleOptions,
    transform: { ...bundleOptions.transform, target: engines.node.replace('>=', 'node') },
    input: Object.fromEntries(entries.map((name) => [name, join(folder, `src/${name}.ts`)])),
    ...options,
  });
  const written = await bundle.write({
    dir: out,
    format: 'esm',
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    paths: rename,
    ...output,
  });
  await bundle.close();
  requireDeclared({ ...dependencies, ...peerDependencies }, written.output);
  if (types) declareTypes(folder, entries, out, rename);
  for (const name of ['package.json', 'README.md']) copyFileSync(join(folder, name), join(out, name));
  copyFileSync(join(root, 'LICENSE'), join(out, 'LICENSE'));
  return out;
}

function requireDeclared(dependencies, chunks) {
  const own = new Set(chunks.map(({ fileName }) => fileName));
  const nameOf = (specifier) =>
    specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/');
  const imports = chunks.flatMap(({ imports = [] }) => imports);
  const undeclared = imports.filter(
    (specifier) => !specifier.startsWith('node:') && !own.has(specifier) && !(nameOf(specifier) in dependencies),
  );
  if (undeclared.length > 0) throw new Error(`package.json does not name ${[...new Set(undeclared)].join(', ')}`);
}

/** Writes the types of the entries and of what they refer to. */
function declareTypes(folder, entries, out, rename) {
  const compiler = join(root, 'node_modules/ts7/bin/tsc');
  // More checkers would each check what they share again.
  const args = [compiler, '--checkers', '1', '-p', join(folder, 'tsconfig.build.json')];
  execFileSync(process.execPath, args, { stdio: 'inherit' });
  const all = join(out, 'types-of-all');
  renameSync(join(out, 'types'), all);
  const types = { from: join(all, basename(folder), 'src'), to: join(out, 'types'), rename, copied: new Set() };
  for (const name of entries) copyTypes(types, `${name}.d.ts`);
  rmSync(all, { recursive: true });
}

function copyTypes(types, name) {
  if (types.copied.has(name)) return;
  types.copied.add(name);
  const text = readFileSync(join(types.from, name), 'utf8');
  const published = text.replaceAll(/(from |import\()'([^']+)'/g, (whole, before, specifier) => {
    if (specifier.startsWith('.')) {
      copyTypes(types, relative(types.from, join(types.from, dirname(name), specifier.replace(/\.js$/, '.d.ts'))));
      return whole;
    }
    const renamed = types.rename(specifier);
    if (renamed.startsWith('@spooled/')) throw new Error(`${name} shows types of ${specifier}`);
    return `${before}'${renamed}'`;
  });
  mkdirSync(dirname(join(types.to, name)), { recursive: true });
  writeFileSync(join(types.to, name), published);
}
