import type { ProductMetrics } from '@spooled/contracts';
import { Database, type ReplicaSettings } from '@spooled/data-access';
import type { Metrics, ServiceContext, SettingsOf } from '@spooled/platform';
import { ProcessPresence } from './process-presence.js';
import type { databaseSettings, replicaSettings } from '../settings/store.settings.js';

/** The scheduler keeps no connections open for requests, so it has no minimum. Only the gateway reads from a replica. */
type DatabaseService = ServiceContext<
  Omit<SettingsOf<typeof databaseSettings>, 'DATABASE_MIN_CONNECTIONS'> & {
    DATABASE_MIN_CONNECTIONS?: number;
  } & Partial<SettingsOf<typeof replicaSettings>>,
  Metrics<ProductMetrics>
>;

export interface DatabaseOptions {
  /** Whether the service is unready without PostgreSQL. */
  critical: boolean;
  maxSystemConnections?: number;
}

/** Opens PostgreSQL with its health check and the gauges of health checks, connections and the replica's lag; closed last. */
export function openDatabase(service: DatabaseService, { critical, maxSystemConnections }: DatabaseOptions): Database {
  const { settings, logger, health, metrics } = service;
  const database = new Database({
    appUrl: settings.DATABASE_URL,
    systemUrl: settings.DATABASE_SYSTEM_URL,
    urlNames: { app: 'DATABASE_URL', system: 'DATABASE_SYSTEM_URL' },
    applicationName: `spooled ${service.name}`,
    maxConnections: settings.DATABASE_MAX_CONNECTIONS,
    minConnections: settings.DATABASE_MIN_CONNECTIONS ?? 0,
    maxSystemConnections,
    queryTimeoutMs: settings.DATABASE_QUERY_TIMEOUT_MS,
    acquireTimeoutMs: settings.DATABASE_ACQUIRE_TIMEOUT_SECS * 1000,
    onError: (error) => logger.warn({ err: error, dependency: 'PostgreSQL' }, 'an idle connection broke'),
    replica: replicaOf(service),
  });
  health.register('database', () => database.ping(), { critical });
  exportDependencies(service);
  metrics.onScrape('databaseConnections', (gauge) => gauge.set(database.activeConnections));
  metrics.onScrape('databaseConnectionsWaiting', (gauge) => gauge.set(database.waitingTransactions));
  metrics.onScrape('databaseReplicaLag', (gauge) => {
    const lagMs = database.replicaLagMs;
    if (lagMs !== null) gauge.set(lagMs / 1000);
  });
  service.onStop('PostgreSQL', () => database.close());
  const presence = new ProcessPresence(database, service);
  service.onStop('process presence', () => presence.stop());
  return database;
}

/** Exports the health checks of this process as `spooled_dependency_up`, also of services without probes. */
function exportDependencies({ metrics, health }: DatabaseService): void {
  metrics.onScrape('dependencyUp', async (gauge) => {
    const { checks } = await health.report();
    for (const [dependency, up] of Object.entries(checks)) gauge.set({ dependency }, up ? 1 : 0);
  });
}

function replicaOf({ settings, logger }: DatabaseService): ReplicaSettings | null {
  const { DATABASE_REPLICA_URL: url, DATABASE_REPLICA_MAX_LAG_MS: maxLagMs = 0 } = settings;
  if (!url) return null;
  const onChange: ReplicaSettings['onChange'] = ({ usable, reason }) =>
    usable
      ? logger.info('the replica answers reads')
      : logger.warn({ reason }, 'the replica is not used, the primary answers reads');
  return { url, maxLagMs, onChange };
}
