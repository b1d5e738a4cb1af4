export { startPostgres, type PostgresOptions, type PostgresServer } from './embedded-postgres.js';
export { freePort, keptPort, portIsFree } from './ports.js';
export { identify, isRunning, startTimeOf, stopProcess, type ProcessIdentity } from './processes.js';
export { findRedisProgram, installRedisProgram, startRedis, type RedisOptions, type RedisServer } from './redis.js';
