import type { healthSchemas } from '@spooled/contracts';
import type { HealthReport } from '@spooled/platform';

/** A health report in the format of the API. `cache` is false without Redis; the status shows whether that is a failure. */
export const healthBody = ({ status, checks }: HealthReport, version: string): healthSchemas.Health => ({
  status,
  database: checks.database === true,
  cache: checks.cache === true,
  version,
  uptime_seconds: Math.floor(process.uptime()),
});
