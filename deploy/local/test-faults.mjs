import { runConsoleTests } from '../../apps/console/test.mjs';
import { runJest } from './jest.mjs';
import { countReports, finishTests, prepareTests } from './test-run.mjs';

// npm run test:faults: the specs that kill, pause or disconnect processes and stores (`*.faults.spec.ts`), three files at a time,
// because they mostly wait, and beside them those of the console. Arguments go to Jest alone (`npm run test:faults -- libs/transport`).
// The last line is that of `npm test`.
const jestArguments = process.argv.slice(2);

await prepareTests();
const codes = await Promise.all([
  runJest('faults', ['--selectProjects=faults', '--maxWorkers=3', ...jestArguments]),
  jestArguments.length > 0 ? 0 : runConsoleTests(['--project=faults']),
]);
finishTests(countReports(Math.max(...codes)));
