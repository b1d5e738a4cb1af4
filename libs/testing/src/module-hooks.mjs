import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformSync } from '@swc/core';
import { swc } from './swc-options.mjs';

// Node's own loader for specs: it knows the libraries of tsconfig.base.json, TypeScript, and SQL and Lua as texts.

const root = join(import.meta.dirname, '../../..');
const { paths } = JSON.parse(readFileSync(join(root, 'tsconfig.base.json'), 'utf8')).compilerOptions;
const asUrl = (file) => pathToFileURL(join(root, file)).href;
const replaced = new Map(Object.entries(paths).map(([name, [file]]) => [name, asUrl(file)]));
replaced.set('@jest/globals', asUrl('libs/testing/src/jest-object.mjs'));

const options = { ...swc, module: { type: 'es6' }, sourceMaps: 'inline', configFile: false, swcrc: false };
process.setSourceMapsEnabled(true);

registerHooks({ resolve, load });

function resolve(specifier, context, next) {
  const url = replaced.get(specifier) ?? sourceOf(specifier, context.parentURL);
  return url ? { url, format: 'module', shortCircuit: true } : next(specifier, context);
}

/** The file that TypeScript means by `./name.js`, or by `./name` in the console. */
function sourceOf(specifier, parentURL) {
  if (!specifier.startsWith('.') || !/\.tsx?(\?|$)/.test(parentURL)) return null;
  const name = specifier.replace(/\.js$/, '');
  const urls = ['.ts', '.tsx'].map((extension) => new URL(name + extension, parentURL));
  return urls.find((url) => existsSync(url))?.href ?? null;
}

function load(url, context, next) {
  if (/\.(tsx?|sql|lua)(\?|$)/.test(url) && !url.includes('/node_modules/')) {
    const filename = fileURLToPath(url);
    return { format: 'module', source: asModule(filename, readFileSync(filename, 'utf8')), shortCircuit: true };
  }
  return next(url, context);
}

function asModule(filename, text) {
  if (/\.(sql|lua)$/.test(filename)) return `export default ${JSON.stringify(text)};`;
  return transformSync(text, { ...options, filename }).code;
}
