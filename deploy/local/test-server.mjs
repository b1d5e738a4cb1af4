import { setInterval } from 'node:timers';
import startTestServer from '../../libs/testing/src/global-setup.mjs';
import stopTestServer from '../../libs/testing/src/global-teardown.mjs';
import { bootstrap, exitWith, root } from './prepare.mjs';

// npm run test:server: a PostgreSQL for specs that runs until Ctrl-C. Without it every run of Jest starts one.

process.chdir(root);
await bootstrap().catch(exitWith);
await startTestServer();
console.log(
  `In the terminal of the specs:\n\n  export SPOOLED_TEST_DATABASE_URL=${process.env.SPOOLED_TEST_DATABASE_URL}\n`,
);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => stopTestServer().then(process.exit));
setInterval(() => undefined, 60_000);
