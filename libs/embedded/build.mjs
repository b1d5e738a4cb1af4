import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { bundleOptions } from '../../rolldown.config.mjs';

// npm run build:embedded: the package as it is published, in dist/embedded.

const root = join(import.meta.dirname, '../..');
const out = join(root, 'dist/embedded');
const { dependencies } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'));
/** The SDK stays a package of its own: its classes are the same in code that also uses a server. */
const published = (specifier) => specifier.replace(/^@spooled\/sdk\b/, 'spooled-sdk');
rmSync(out, { recursive: true, force: true });

await bundle();
await declareTypes();
copyDatabase();
for (const name of ['package.json', 'README.md']) copyFileSync(join(import.meta.dirname, name), join(out, name));
copyFileSync(join(root, 'LICENSE'), join(out, 'LICENSE'));

async function bundle() {
  const { treeshake } = bundleOptions;
  const building = await rolldown({
    ...bundleOptions,
    input: { index: 'libs/embedded/src/index.ts' },
    // Services share their index with Nest modules, which an application neither needs nor has installed.
    treeshake: {
      ...treeshake,
      moduleSideEffects: [...treeshake.moduleSideEffects, { test: /\/libs\//, sideEffects: false }],
    },
    external: (id, ...more) => /^@spooled\/sdk\b/.test(id) || isPrisma(id) || bundleOptions.external(id, ...more),
  });
  const { output } = await building.write({
    dir: out,
    format: 'esm',
    sourcemap: true,
    entryFileNames: '[name].js',
    paths: published,
    codeSplitting: false,
  });
  await building.close();
  requireDeclared(output.flatMap(({ imports = [] }) => imports));
}

/** Only loaded for models, which embedded processes do not use. */
function isPrisma(id) {
  return id.endsWith('/generated/client.js') || id.startsWith('@prisma/');
}

/** @throws Error when the bundle imports a package that package.json does not name */
function requireDeclared(imports) {
  const nameOf = (specifier) =>
    specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/');
  const undeclared = imports.filter(
    (specifier) => !specifier.startsWith('node:') && !(nameOf(specifier) in dependencies),
  );
  if (undeclared.length > 0) throw new Error(`libs/embedded/package.json does not name ${undeclared.join(', ')}`);
}

/** Its public types refer to those of the SDK only. */
async function declareTypes() {
  const compiler = join(root, 'node_modules/ts7/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', join(import.meta.dirname, 'tsconfig.build.json')], {
    stdio: 'inherit',
  });
  const all = join(out, 'types-of-all');
  renameSync(join(out, 'types'), all);
  copyTypes(all, 'index.d.ts', new Set());
  rmSync(all, { recursive: true });
}

/** Copies a file of types and those that it refers to. @throws Error when it refers to another library */
function copyTypes(from, name, copied) {
  if (copied.has(name)) return;
  copied.add(name);
  const text = readFileSync(join(from, 'embedded/src', name), 'utf8');
  for (const [, specifier] of text.matchAll(/from '([^']+)'/g)) {
    if (specifier.startsWith('./')) copyTypes(from, `${basename(specifier, '.js')}.d.ts`, copied);
    else if (/^@spooled\/(?!sdk$)/.test(specifier)) throw new Error(`${name} shows types of ${specifier}`);
  }
  mkdirSync(join(out, 'types'), { recursive: true });
  writeFileSync(join(out, 'types', name), text.replaceAll(/'@spooled\/sdk'/g, `'${published('@spooled/sdk')}'`));
}

/** What `migrate` applies, at the same paths as in the repository. */
function copyDatabase() {
  const files = ['prisma/migrations/*/migration.sql', 'libs/{data-access,queue}/src/**/*_*.sql'];
  for (const file of globSync(files, { cwd: root })) {
    mkdirSync(dirname(join(out, 'database', file)), { recursive: true });
    cpSync(join(root, file), join(out, 'database', file));
  }
}
