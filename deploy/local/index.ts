export { compileCache } from './compile-cache.js';
export { ensureFirstOrganization } from './first-organization.js';
export { startPostgres } from './embedded-postgres.js';
export { serverAccount } from './postgres-home.js';
export type { Terminal } from './local-system.js';
export { readLocalSettings } from './local-settings.js';
export { freePort, portIsFree } from './ports.js';
export { identify, isRunning, statOf, stopProcess, type ProcessIdentity } from './processes.js';
export { findRedisProgram, installRedisProgram, startRedis } from './redis.js';
export { keptSecrets } from './secrets.js';
export type { ServiceSpec } from './service-process.js';
export {
  nodeFlagsOf,
  planService,
  serviceNames,
  type ServiceName,
  type ServicePorts,
  type SystemEnvironment,
} from './service-plan.js';
export { onStopSignals } from './stop-signals.js';
export type { StoreServer } from './store-server.js';
export { type DatabaseUrls, embeddedDatabase, type Provided, provideRedis } from './stores.js';
export { Supervisor } from './supervisor.js';
