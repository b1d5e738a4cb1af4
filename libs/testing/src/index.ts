export { testCertificate, testCertificateKey } from './certificate.js';
export { eventually } from './eventually.js';
export { fromNow, msUntil, unixSeconds } from './from-now.js';
export { flushStatistics } from './flush-statistics.js';
export { gate } from './gate.js';
export { untilLocked } from './lock-waits.js';
export { moveClock } from './move-clock.js';
export { ManualClock } from './manual-clock.js';
export { clockWithTimers, endTimersUntil, isRenewal, toldLeaseSeconds, toldTimeoutSeconds } from './told-timers.js';
export {
  useConnections,
  useDatabase,
  useForAll,
  useRedis,
  useSuperuser,
  useTenant,
  useTenantForEach,
} from './hooks.js';
export { openConnections } from './open-connections.js';
export { createTestDatabase, serverUrl, type TestDatabase } from './test-database.js';
export { replicated, type ReplicatedDatabase, startReplica, startReplicatedDatabase } from './replicated-database.js';
export { type FailoverRedis, startRedis, type TestRedis, type TestRedisServer } from './test-redis.js';
export { createOwnDatabase } from './own-database.js';
export { copyServer } from './base-backup.js';
export { childrenOf, trySignal } from './process-tree.js';
export { createServerFolder } from './server-folder.js';
export { monitorCommands } from './redis-monitor.js';
export { needsRedis, type RedisMode } from './redis-mode.js';
export { startRedisCluster } from './test-redis-cluster.js';
export { startSentinel } from './test-sentinel.js';
export { Receiver, type ReceivedCall } from './receiver.js';
export { defaultTimeouts, jwtSecret, type Stack, type StackAddresses, type StackOptions, startStack } from './stack.js';
export { mostWaitingClaims, type SharedStack, sharedSecrets, sharedStack } from './shared-stack.js';
export * from './commands.js';
export { asSuperuser } from './superuser.js';
export { createTenant, type TestTenant, type TestTenantOptions } from './tenant.js';
export { startPgBouncer, type TestPgBouncer } from './test-pgbouncer.js';
export { freePort, openIdEnv, startSilentServer, TestOpenIdProvider } from './test-open-id.js';
export { startTcpProxy, type TcpProxy } from './tcp-proxy.js';
export { unboundedParts } from './unbounded-parts.js';
export { startPausableDatabase, type PausableDatabase } from './pausable-database.js';
export { startArchivedDatabase, type ArchivedDatabase } from './archived-database.js';
export { configOf, root, services, settingsOf } from './declared-settings.js';
export {
  type Action,
  type Call,
  type Grant,
  checkHistory,
  type Ending,
  History,
  readFinalState,
  type Rule,
  SeededRandom,
  type Violation,
} from './history/index.js';
export { checkConfig, checkRules, evaluateAlert, evaluateRules, type RuleTest, type Series } from './promtool.js';
export { securityHeaders } from './security-headers.js';
