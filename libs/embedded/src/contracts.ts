import type { Database } from '@spooled/data-access';
import { PayloadContracts, type PreparedJob } from '@spooled/service';
import type { SourceContext } from './embedded-source.js';

/**
 * Checks payloads against the contracts of their queues, as the services do (BX-09). A contract that changes applies within a second.
 * @param onError called with an error for a payload that violates a contract of mode `warn`, at most once per minute and contract
 */
export function openContracts(db: Database, onError: (error: unknown) => void): PayloadContracts {
  const report = (fields: object, what: string) => onError(Object.assign(new Error(what), fields));
  const uncounted = { payloadContractViolations: { inc: () => undefined } };
  // One organization, whose payloads delay nobody else's.
  return new PayloadContracts(db, null, uncounted, { info: report, error: report }, null);
}

/** @throws SpooledError 400 for a payload that violates the contract of its queue */
export async function checkPayloads({ contracts, tenant }: SourceContext, prepared: PreparedJob[]): Promise<void> {
  const payloads = () =>
    prepared.map(({ job, queueName, path = '' }) => ({
      queueName,
      path: `${path}payload`,
      value: (): unknown => JSON.parse(job.payload),
      text: () => job.payload,
    }));
  await contracts.require({ organizationId: tenant.id }, payloads);
}
