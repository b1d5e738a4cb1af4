import { formatActor } from '@spooled/contracts';
import type { Database } from '@spooled/data-access';
import { planLimits, SpooledError } from '@spooled/domain';
import { newId, type ServiceContext, within } from '@spooled/platform';
import type { GroupCommit } from '@spooled/queue';
import type { Principal } from '../auth/principal.js';
import { type Caller, newCommand } from '../commands/new-command.js';

/** An organization that does not exist: its commands and reads find nothing and write nothing. */
export const noOrganization = '00000000-0000-0000-0000-000000000000';

export const noCaller: Principal = {
  organizationId: noOrganization,
  apiKeyId: noOrganization,
  actor: formatActor('system', 'warm-up'),
  keyHash: '',
  role: 'admin',
  queues: null,
  rateLimit: null,
  limits: planLimits('enterprise'),
};

/** Longest delay of readiness. */
const limitMs = 3_000;

/**
 * Runs code of the first requests before the service is ready: lazy compilation, connections and plans made the first POST of a gateway
 * six times as slow as later ones. Limited in time; a failure is logged only, because nothing depends on it. Refusals are expected.
 */
export async function warmUp(
  { logger, stopping }: Pick<ServiceContext, 'logger' | 'stopping'>,
  ...steps: (() => Promise<unknown>)[]
): Promise<void> {
  if (stopping.aborted) return;
  try {
    await within(limitMs, () => Promise.all(steps.map((step) => step().catch(ignoreRefusal))));
  } catch (err) {
    logger.info({ err }, 'warm-up was not completed; the first requests may take longer');
  }
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof SpooledError) || error.status >= 500) throw error;
}

/** Opens the minimum of connections: opening one takes longer than a transaction. */
export const openConnections = (database: Database, connections: number): Promise<unknown> =>
  Promise.all(Array.from({ length: connections }, () => database.inBatch((tx) => tx.query('SELECT 1'))));

/** Concurrent transactions of the group commit; each connection has its own plans. */
const concurrentBatches = 4;

/** Runs the commands of a job's life in the engine of this process, on several connections; each is refused or finds nothing. */
export async function warmUpEngine(commit: GroupCommit): Promise<void> {
  const caller: Caller = { organizationId: noOrganization, actor: noCaller.actor };
  const options = { ttlMs: limitMs };
  const proof = { jobId: newId(), workerId: 'warm-up', leaseId: newId(), queues: null };
  const runs: Promise<unknown>[] = [];
  for (let batch = 0; batch < concurrentBatches; batch++) {
    runs.push(
      commit.submit(newCommand('job.claim', caller, { ...claim, limit: 1 }, options)),
      commit.submit(newCommand('job.complete', caller, { ...proof, result: null }, options)),
      commit.submit(newCommand('job.fail', caller, { ...proof, error: 'warm-up', retry: false }, options)),
      commit.submit(newCommand('job.renew', caller, { ...proof, leaseSeconds: 30 }, options)),
    );
    // Later commands are another batch, while the first one runs.
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(runs);
}

const claim = { queueName: 'warm-up', workerId: 'warm-up', leaseSeconds: 30 };
