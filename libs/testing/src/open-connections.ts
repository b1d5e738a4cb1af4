import { Database, type DatabaseSettings } from '@spooled/data-access';

/** Connections of a test's own, at most four unless the options say otherwise. The test closes them. */
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
    acquireTimeoutMs: 10_000,
    onError: () => undefined,
    ...options,
  });
}
