import type { healthSchemas } from '@spooled/contracts';
import type { HealthReport } from '@spooled/platform';

/** A report in the shape that callers know. Without Redis the cache is not there, which is no fault: the status says so. */
export const healthBody = ({ status, checks }: HealthReport, version: string): healthSchemas.Health => ({
  status,
  database: checks.database === true,
  cache: checks.cache === true,
  version,
});
