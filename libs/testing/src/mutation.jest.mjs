import { cpSync } from 'node:fs';
import { join } from 'node:path';
import base from '../../../jest.config.mjs';
import { modulesOfEachFile } from './mutation-modules.mjs';

// For Stryker, which takes one project. MUTATE_LIBRARY: domain (default), or one whose specs need PostgreSQL, such as queue.
const library = process.env.MUTATE_LIBRARY ?? 'domain';
const name = library === 'domain' ? 'rules' : 'stores';
const project = base.projects.find(({ displayName }) => displayName === name);
const { rootDir } = base.projects[0];
const root = join(rootDir, 'libs', library);
const [swcJest, swc] = modulesOfEachFile.transform['\\.ts$'];

// Jest runs ES modules in contexts that it never frees, and the libraries of libs/domain all have a CommonJS form.
const commonJs = {
  ...modulesOfEachFile,
  extensionsToTreatAsEsm: [],
  testEnvironment: join(import.meta.dirname, 'mutation-environment.mjs'),
  transform: { ...modulesOfEachFile.transform, '\\.ts$': [swcJest, { ...swc, module: { type: 'commonjs' } }] },
  setupFiles: [join(import.meta.dirname, 'mutation-setup.ts')],
};

// mutate.mjs has started the server; Stryker would start one for each mutant. All mutants are in the code, and one at a time is active.
const onServer = {
  runtime: join(import.meta.dirname, 'mutation-runtime.mjs'),
  testEnvironment: join(import.meta.dirname, 'mutation-kept-environment.mjs'),
  globalSetup: undefined,
  globalTeardown: undefined,
};

// What specs read of the build and the documents, which Stryker leaves out of its copy of the tree in .data/mutation.
const read = library === 'domain' ? [] : ['dist/testing/check-thread.js', 'docs/openapi.json'];
for (const file of read) cpSync(join(rootDir, '../../..', file), join(rootDir, file));

/** MUTATE_SPECS: the spec files to run, as patterns below the library, or below the repository from `apps/` or `libs/`, separated by commas. */
const patterns = (process.env.MUTATE_SPECS ?? '**/*').split(',');
const projectOf = (pattern) => /^(apps|libs)\/[\w-]+/.exec(pattern)?.[0];
const specs = patterns.map((pattern) => `${projectOf(pattern) ? rootDir : `${root}/src`}/${pattern}.spec.ts`);
const projects = patterns.flatMap((pattern) => projectOf(pattern) ?? []);

// With all files of the repository each mutant cost 8 s more.
export default {
  ...project,
  ...(library === 'domain' ? commonJs : onServer),
  displayName: undefined,
  testSequencer: join(import.meta.dirname, 'mutation-sequencer.mjs'),
  // Stryker accepts only runners with this word in their name.
  testRunner: join(import.meta.dirname, 'mutation-jest-circus.mjs'),
  roots: [...new Set([root, ...projects.map((folder) => join(rootDir, folder))])],
  testMatch: library === 'domain' ? [`${root}/**/*.spec.ts`] : specs,
  testTimeout: base.testTimeout,
};
