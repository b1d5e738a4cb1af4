import type { Organization } from './fixtures.js';

type Client = Organization['client'];
/** How a job ends: with a result, or with an error that is not retried. */
export type Outcome = { result: unknown } | { error: string };

/** Does the waiting jobs of a queue as a worker, the way `outcomeOf` says. Returns when it has done this many. */
export async function runJobs(
  client: Client,
  queueName: string,
  count: number,
  outcomeOf: (payload: Record<string, unknown>) => Outcome,
  hostname = 'worker-1',
): Promise<void> {
  const { id: workerId } = await client.workers.register({ queueName, hostname, workerId: `${queueName}-${hostname}` });
  for (let done = 0; done < count;) {
    const limit = Math.min(50, count - done);
    const jobs = await client.jobs.claim({ queueName, workerId, limit, waitSeconds: 10 });
    await Promise.all(
      jobs.map(({ id, leaseId, payload }) => {
        const outcome = outcomeOf(payload as Record<string, unknown>);
        const lease = { workerId, leaseId };
        return 'error' in outcome
          ? client.jobs.fail(id, { ...lease, error: outcome.error, retry: false })
          : client.jobs.complete(id, { ...lease, result: outcome.result });
      }),
    );
    done += jobs.length;
  }
}
