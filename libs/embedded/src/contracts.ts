import type { Database } from '@spooled/data-access';
import { PayloadContracts } from '@spooled/service';

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
