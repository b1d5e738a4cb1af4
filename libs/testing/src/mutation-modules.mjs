import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { swc } from './swc-options.mjs';

const root = join(import.meta.dirname, '../../..');
const { paths } = JSON.parse(readFileSync(join(root, 'tsconfig.base.json'), 'utf8')).compilerOptions;
const libraries = Object.fromEntries(
  Object.entries(paths).map(([name, [file]]) => [`^${name}$`, `<rootDir>/${file.slice(2)}`]),
);

/** For `npm run mutate`: Jest's own runtime, which loads modules again for each file, because a mutant changes them. */
export const modulesOfEachFile = {
  runtime: undefined,
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { ...libraries, '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '\\.ts$': ['@swc/jest', { ...swc, module: { type: 'es6' } }],
    // `cookie` is published as ES modules only and required by a CommonJS package below fastify.
    '/node_modules/cookie/.*\\.js$': ['@swc/jest', { module: { type: 'commonjs' } }],
    '\\.(sql|lua)$': '<rootDir>/libs/testing/src/text-transform.mjs',
  },
  transformIgnorePatterns: ['/node_modules/(?!(?:[^/]+/node_modules/)?cookie/)'],
};
