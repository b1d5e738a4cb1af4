import { runConsoleTests } from '../../apps/console/test.mjs';
import { runJest } from './jest.mjs';
import { countReports, finishTests, prepareTests } from './test-run.mjs';

// npm run test:faults: the specs that kill, pause or disconnect processes and stores (`*.faults.spec.ts`), two files at a time,
// then those of the console. Arguments go to Jest alone (`npm run test:faults -- libs/transport`). The last line is that of
// `npm test`.
const jestArguments = process.argv.slice(2);

await prepareTests();
const specs = await runJest('faults', ['--selectProjects=faults', '--maxWorkers=2', ...jestArguments]);
const screens = jestArguments.length > 0 ? 0 : await runConsoleTests(['--project=faults']);
finishTests(countReports(specs || screens));
