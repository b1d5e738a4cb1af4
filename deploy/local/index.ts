export { ensureFirstOrganization, type FirstOrganization } from './first-organization.js';
export { startPostgres, type PostgresOptions, type PostgresServer } from './embedded-postgres.js';
export { serverAccount } from './postgres-home.js';
export { readLocalSettings } from './local-settings.js';
export { freePort, keptPort, portIsFree } from './ports.js';
export { identify, isRunning, startTimeOf, stopProcess, type ProcessIdentity } from './processes.js';
export { findRedisProgram, installRedisProgram, startRedis, type RedisOptions, type RedisServer } from './redis.js';
export { keptSecrets, type Secrets } from './secrets.js';
export { ServiceProcess, type ServiceSpec, type ServiceWatcher } from './service-process.js';
export {
  nodeFlagsOf,
  planService,
  serviceNames,
  type InternalUrls,
  type ServiceName,
  type ServicePorts,
  type SystemEnvironment,
} from './service-plan.js';
export { type DatabaseUrls, embeddedDatabase, type Provided, provideRedis } from './stores.js';
export { Supervisor, type SupervisorOptions } from './supervisor.js';
