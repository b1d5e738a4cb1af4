import { Database, type DatabaseSettings } from '@spooled/data-access';

/**
 * Connections of a test's own, at most four unless the options say otherwise. The test closes them. Statements may take longer than in
 * production, where a caller waits: a busy machine may stop this process or PostgreSQL for seconds.
 */
export function openConnections(
  { appUrl, systemUrl }: Pick<DatabaseSettings, 'appUrl' | 'systemUrl'>,
  options: Partial<DatabaseSettings> = {},
): Database {
  return new Database({
    appUrl,
    systemUrl,
    applicationName: 'spec',
    maxConnections: 4,
    minConnections: 0,
    acquireTimeoutMs: 20_000,
    queryTimeoutMs: 20_000,
    onError: () => undefined,
    ...options,
  });
}
