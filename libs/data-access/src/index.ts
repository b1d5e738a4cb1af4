export * from './database/stored-values.js';
export { callerContext } from './database/caller-context.js';
export * from './database/clock.js';
export * from './audit/audit-log.js';
export * from './audit/refused-logins.js';
export * from './isolation/isolation-checks.js';
export type { ListPosition, TimedPage } from './database/list-position.js';
export type { Searched } from './database/search-in-parts.js';
export * from './database/database.js';
export * from './database/movable-clock.js';
export { NotMigratedError } from './database/require-migrated.js';
export {
  CommitLostError,
  statementTimeoutError,
  isLostBeforeCommit,
  isStatementTimeout,
  isTransactionConflict,
  toDatabaseError,
} from './database/database-errors.js';
export * from './database/quota-error.js';
export * from './database/function-error-codes.js';
export { PreparedQuery } from './database/prepared-query.js';
export type { BatchTransaction, SystemTransaction, TenantTransaction, Transaction } from './database/transactions.js';
export { databaseSources, type DatabaseSources, fingerprintOf, migrate } from './migrate/migrate.js';
export { bundledDatabaseRelease, readDatabaseRelease } from './migrate/database-release.js';
/** @internal For the spec that compares the functions of a migrated database with their files. */
export { readFunctions } from './migrate/function-files.js';
export * from './deliveries/deliveries.repository.js';
export { listInboundDeliveries, type InboundDeliveryRow } from './inbound-deliveries/inbound-deliveries.repository.js';
export * from './inbound-deliveries/inbound-refusals.js';
export { countWorkers } from './activity/count-workers.queries.js';
export { listBusiestQueues } from './activity/list-busiest-queues.queries.js';
export * from './figures/figures.js';
export { WakeupListener, type WakeupListenerState } from './wakeups/wakeup-listener.js';
export { WakeupSender } from './wakeups/wakeup-sender.js';
export type { Wakeup } from './wakeups/wakeup-payloads.js';
export * from './explain/explain.js';
export * from './series/series.js';
export * from './problems/problems.js';
export {
  endProcess,
  listProcesses,
  type ListProcessesResult as ProcessRow,
  listTopTenants,
  measureCapacity,
  reportProcess,
} from './administration/service-processes.queries.js';
export { sampleProducers } from './producers/producers.js';
export { type JobTypeSample, sampleJobTypes } from './job-types/job-types.js';
export * from './throttles/throttles.js';
export * from './cause-reports/cause-reports.js';
export * from './dead-letters/cause-mutes.js';
export * from './dead-letters/dead-letter-groups.js';
export * from './operations/operations.js';
export * from './jobs/job-lists.js';
export * from './jobs/job-history.js';
export * from './jobs/job-logs.js';
export * from './jobs/job-steps.js';
export * from './jobs/job-reads.js';
export {
  recordDeliveries,
  deleteQueueSettings,
  findQueue,
  findQueueRate,
  listQueues,
  measureOldestPending,
  measureQueue,
  checkQueueQuota,
  readQueueTokens,
  saveQueueSettings,
  takeQueueTokens,
  type QueueDefaults,
  type QueueMeasuresRow,
  type QueueRow,
  type QueueSummaryRow,
  type SavedQueue,
} from './queue-settings/queue-settings.js';
export * from './queue-settings/queue-pauses.js';
export * from './payload-contracts/payload-contracts.js';
export * from './schedules/due-schedules.js';
export * from './schedules/schedule.repository.js';
export * from './workers/worker-reads.js';
export { listRunningJobs, type RunningJob } from './workers/running-jobs.js';
export { ApiKeyAuthenticator } from './credentials/api-key-authenticator.js';
export { ApiKeyDigests, noPepper } from './credentials/api-key-digests.js';
export type { ApiKeyIdentity } from './credentials/api-key-identity.js';
export { lookupOf, newApiKeyText, prefixOf } from './credentials/api-key-text.js';
export { noSharedCache } from './credentials/credential-cache.js';
export * from './credentials/console-sessions.js';
export { CredentialFeed, type CredentialFeedOptions, maxCacheAgeSeconds } from './credentials/credential-feed.js';
export type { CredentialChange } from './credentials/recent-changes.js';
export * from './credentials/revoked-sessions.js';
export * from './credentials/last-use-writer.js';
export * from './gauges/gauges.repository.js';
export {
  beginJobsCompaction,
  copyKeptJobs,
  dropHistoryPartition,
  dropJobsPartition,
  finishCompaction,
  partitionLimits,
  pastWeeks,
  planPastWeek,
  type PartitionedTable,
  type Week,
} from './partitions/partitions.repository.js';
export { addMissingPartitions, type PartitionReporter } from './partitions/add-missing-partitions.js';
export * from './retention/retention.repository.js';
export * from './stale-workers/stale-workers.js';
export * from './push-queues/push-queues.repository.js';
export { type ReplicaSettings } from './database/replica.js';
export * from './database/stale-reads.js';
export * from './database/read-requests.js';
export { repeatableRead, type TransactionLimits } from './database/limits.js';
export * from './database/borrowed-transaction.js';
export {
  findPlanById,
  type FindPlanByIdResult as PlanRow,
  findPlanBySlug,
} from './organizations/organization-plan.queries.js';
export { forceIndexPlans } from './database/force-index-plans.queries.js';
export * from './database/advisory-lock.js';
export * from './ingestion/ingestion.repository.js';
export * from './api-keys/api-key.repository.js';
export {
  beginProbe,
  dropOldestHeld,
  findHeldWebhooks,
  type FindHeldWebhooksResult as HeldWebhook,
  releaseHeld,
} from './deliveries/held-deliveries.queries.js';
export * from './outgoing-webhooks/outgoing-webhook.repository.js';
export * from './organizations/create-organization.js';
export * from './organizations/organization.repository.js';
export * from './database/lock-resource.js';
export * from './batches/batch-reads.js';
export * from './workflows/workflow-reads.js';
export * from './administration/administration.js';
