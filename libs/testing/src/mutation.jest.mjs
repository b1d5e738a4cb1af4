import { join } from 'node:path';
import base from '../../../jest.config.mjs';

// For Stryker, which takes one project. MUTATE_LIBRARY: domain (default), or queue, whose specs need PostgreSQL and Redis.
const library = process.env.MUTATE_LIBRARY ?? 'domain';
const name = library === 'domain' ? 'rules' : 'stores';
const project = base.projects.find(({ displayName }) => displayName === name);
const root = join(base.projects[0].rootDir, 'libs', library);
// With all files of the repository each mutant cost 8 s more.
export default {
  ...project,
  displayName: undefined,
  roots: [root],
  testMatch: [`${root}/**/*.spec.ts`],
  testTimeout: base.testTimeout,
};
