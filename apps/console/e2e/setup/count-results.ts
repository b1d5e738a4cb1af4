import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FullResult, Reporter, Suite } from '@playwright/test/reporter';

const file = join(import.meta.dirname, '../../../../dist/tests/console.json');

/** Writes how many tests passed and failed, and how long each file took, in the form of Jest's report, which `npm test` reads. */
export default class CountResults implements Reporter {
  private suite?: Suite;

  onBegin(_config: unknown, suite: Suite): void {
    this.suite = suite;
  }

  onEnd({ status }: FullResult): void {
    const outcomes = this.suite?.allTests().map((test) => test.outcome()) ?? [];
    const numPassedTests = outcomes.filter((outcome) => outcome === 'expected').length;
    const numFailedTests = outcomes.filter((outcome) => outcome === 'unexpected' || outcome === 'flaky').length;
    // A set-up that fails has no failed test.
    const numRuntimeErrorTestSuites = status !== 'passed' && numFailedTests === 0 ? 1 : 0;
    const counts = { numPassedTests, numFailedTests, numRuntimeErrorTestSuites };
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ ...counts, testResults: this.durations() }));
  }

  private durations() {
    const files = new Map<string, number>();
    for (const { location, results } of this.suite?.allTests() ?? []) {
      const ms = results.reduce((sum, { duration }) => sum + duration, files.get(location.file) ?? 0);
      files.set(location.file, ms);
    }
    return [...files].map(([name, endTime]) => ({ name, startTime: 0, endTime }));
  }
}
