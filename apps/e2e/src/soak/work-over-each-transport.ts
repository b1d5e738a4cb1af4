import { randomUUID } from 'node:crypto';
import { eventually, type StackAddresses, type TestTenant } from '@spooled/testing';
import { Application, transports } from '../applications.js';

const jobsOfRound = 20;

/** Runs some jobs of a tenant over every transport. @throws Error when one of them does not run */
export async function workOverEachTransport(stack: StackAddresses, tenant: TestTenant): Promise<void> {
  for (const transport of transports) {
    const { key: apiKey, organizationId } = tenant;
    const application = await Application.open(stack, transport, { apiKey, organizationId });
    try {
      const queueName = `soak-${randomUUID().slice(0, 8)}`;
      const done = new Set<string>();
      await application.startWorker({ [queueName]: ({ id }) => void done.add(id) });
      const ids = await Promise.all(
        Array.from(
          { length: jobsOfRound },
          async (_, n) => (await application.jobs.create({ queueName, payload: { n } })).id,
        ),
      );
      await eventually(() => expect(ids.filter((id) => !done.has(id))).toEqual([]), { timeoutMs: 60_000 });
    } finally {
      await application.close();
    }
  }
}
