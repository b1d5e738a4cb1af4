import { readArguments } from './arguments.js';
import { Ledger } from './ledger.js';
import { retryingClient, prepareTarget } from './retrying-client.js';
import { postWebhooks } from './poster.js';
import { startProgress } from './progress.js';
import { printReport } from './report.js';
import { verifyOutcomes } from './verify.js';
import { WorkerPool } from './worker-pool.js';

/** The core flow on real input: posts GitHub's own webhook payloads, processes every job and checks every outcome. */
const options = readArguments(process.argv.slice(2));
const client = retryingClient(options.url, options.key);
const ledger = new Ledger(options.jobs);
const target = await prepareTarget(client);

const pool = new WorkerPool(client, ledger, options.workers);
const progress = startProgress(ledger);
const posting = postWebhooks(client, ledger, target);
const working = pool.run();
// If the poster stops trying, the workers must end too, and vice versa.
const results = await Promise.allSettled([
  posting.catch((error: unknown) => {
    ledger.abort();
    throw error;
  }),
  working,
]);
progress.stop();

const problems = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
problems.push(...(await verifyOutcomes(client, ledger)));
printReport(ledger, options, problems);
process.exitCode = problems.length === 0 ? 0 : 1;
