import { runJest } from './jest.mjs';
import { countReports, finishTests, prepareTests } from './test-run.mjs';

// npm run test:faults: the specs that kill, pause or disconnect processes and stores (`*.faults.spec.ts`), one after the
// other. Arguments go to Jest (`npm run test:faults -- libs/transport`). The last line is that of `npm test`.
await prepareTests();
finishTests(
  countReports(await runJest('faults', ['--selectProjects=faults', '--maxWorkers=1', ...process.argv.slice(2)])),
);
