import { join } from 'node:path';
import base from '../../../jest.config.mjs';

// For Stryker, which takes one project. MUTATE_LIBRARY: domain (default), or queue, whose specs need PostgreSQL and Redis.
const library = process.env.MUTATE_LIBRARY ?? 'domain';
const name = library === 'domain' ? 'rules' : 'stores';
const project = base.projects.find(({ displayName }) => displayName === name);
const root = join(base.projects[0].rootDir, 'libs', library);
const [swcJest, swc] = project.transform['\\.ts$'];

// Jest runs ES modules in contexts that it never frees, and the libraries of libs/domain all have a CommonJS form.
const commonJs = {
  extensionsToTreatAsEsm: [],
  transform: { ...project.transform, '\\.ts$': [swcJest, { ...swc, module: { type: 'commonjs' } }] },
  setupFiles: [join(import.meta.dirname, 'mutation-setup.ts')],
};

// With all files of the repository each mutant cost 8 s more.
export default {
  ...project,
  ...(library === 'domain' && commonJs),
  displayName: undefined,
  testEnvironment: join(import.meta.dirname, 'mutation-environment.mjs'),
  roots: [root],
  testMatch: [`${root}/**/*.spec.ts`],
  testTimeout: base.testTimeout,
};
