import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Written by the run without a mutant: the names of the tests in each spec file and how long it took. */
const recordName = 'mutation-specs.json';

/**
 * For `npm run mutate`: a run of one mutant loads only the spec files with a test that executes it, the fast ones first. Stryker
 * selects tests by name alone, so Jest would load every spec file: 1 to 3 s each in libs/queue.
 */
export default class {
  /** @param {{ globalConfig: { rootDir: string, testNamePattern?: string } }} options */
  constructor({ globalConfig }) {
    this.pattern = globalConfig.testNamePattern;
    this.record = join(globalConfig.rootDir, recordName);
  }

  sort(tests) {
    if (!this.pattern || !existsSync(this.record)) return tests;
    const specs = JSON.parse(readFileSync(this.record, 'utf8'));
    const pattern = new RegExp(this.pattern, 'i');
    return tests
      .filter(({ path }) => specs[path]?.names.some((name) => pattern.test(name)))
      .sort((a, b) => specs[a.path].ms - specs[b.path].ms);
  }

  allFailedTests(tests) {
    return tests;
  }

  cacheResults(_, { testResults }) {
    if (this.pattern) return;
    const entries = testResults.map(({ testFilePath, testResults: tests, perfStats }) => [
      testFilePath,
      { names: tests.map(({ fullName }) => fullName), ms: perfStats.runtime },
    ]);
    writeFileSync(this.record, JSON.stringify(Object.fromEntries(entries)));
  }
}
