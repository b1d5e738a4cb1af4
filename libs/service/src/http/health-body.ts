import type { healthSchemas } from '@spooled/contracts';
import type { HealthReport } from '@spooled/platform';

/** A health report in the contract's form. Without Redis there is no cache, which is no fault: the status says so. */
export const healthBody = ({ status, checks }: HealthReport, version: string): healthSchemas.Health => ({
  status,
  database: checks.database === true,
  cache: checks.cache === true,
  version,
});
