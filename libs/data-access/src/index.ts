export { asObject, oneOf } from './database/stored-values.js';
export { callerContext } from './database/caller-context.js';
export { readClock } from './database/clock.js';
export {
  type AuditFilter,
  type AuditRow,
  deleteOldRecords,
  listAudit,
  listAuditOfAll,
  recordAudit,
} from './audit/audit-log.js';
export { recordRefusedLogin } from './audit/refused-logins.js';
export {
  type IsolationCheckRow,
  latestIsolationCheck,
  type LatestIsolationCheck,
  listIsolationChecks,
  recordIsolation,
} from './isolation/isolation-checks.js';
export type { ListPosition, TimedPage } from './database/list-position.js';
export type { Searched } from './database/search-in-parts.js';
export { Database, type DatabaseSettings } from './database/database.js';
export { moveDatabaseClock } from './database/movable-clock.js';
export { NotMigratedError } from './database/require-migrated.js';
export {
  CommitLostError,
  statementTimeoutError,
  isLostBeforeCommit,
  isStatementTimeout,
  isTransactionConflict,
  toDatabaseError,
} from './database/database-errors.js';
export { quotaError, quotaRefusal, rethrowQuotaError } from './database/quota-error.js';
export { hasFunctionErrorCode } from './database/function-error-codes.js';
/** @internal For the spec that compares them with the SQLSTATEs of the functions. */
export { functionErrorCodes } from './database/function-error-codes.js';
export { PreparedQuery } from './database/prepared-query.js';
export type { BatchTransaction, SystemTransaction, TenantTransaction, Transaction } from './database/transactions.js';
export { databaseSources, type DatabaseSources, fingerprintOf, migrate } from './migrate/migrate.js';
export { bundledDatabaseRelease, readDatabaseRelease } from './migrate/database-release.js';
/** @internal For the spec that compares the functions of a migrated database with their files. */
export { readFunctions } from './migrate/function-files.js';
export * from './deliveries/deliveries.repository.js';
export { listInboundDeliveries, type InboundDeliveryRow } from './inbound-deliveries/inbound-deliveries.repository.js';
export {
  listInboundRefusals,
  recordInboundRefusals,
  type InboundRefusal,
  type InboundRefusalRow,
} from './inbound-deliveries/inbound-refusals.js';
export { countWorkers, listBusiestQueues } from './activity/activity.js';
export {
  averageMs,
  countLastMinute,
  countLastMinuteByQueue,
  countRecent,
  countRecentByQueue,
  findSampledDepth,
  type MinuteCounts,
  type RecentCounts,
  type SampledDepth,
} from './figures/figures.js';
export { WakeupListener, type WakeupListenerState } from './wakeups/wakeup-listener.js';
export { WakeupSender } from './wakeups/wakeup-sender.js';
export type { Wakeup } from './wakeups/wakeup-payloads.js';
export * from './explain/explain.js';
export * from './series/series.js';
export * from './problems/problems.js';
export * from './administration/platform.js';
export { sampleProducers } from './producers/producers.js';
export { type JobTypeSample, sampleJobTypes } from './job-types/job-types.js';
export {
  createThrottle,
  deleteThrottle,
  listThrottles,
  readThrottleBounds,
  sampleCreated,
  type ThrottleRow,
} from './throttles/throttles.js';
export {
  endCauseLook,
  findCauseReaders,
  lookAtCauses,
  noteReportedCause,
  type ReportableGroup,
} from './cause-reports/cause-reports.js';
export { type CauseMuteRow, listCauseMutes, muteCause, unmuteCause } from './dead-letters/cause-mutes.js';
export {
  findDeadLetterGroup,
  listDeadLetterCauses,
  listDeadLetterGroups,
  listDeadLettersOfGroup,
  type DeadLetterGroupRow,
} from './dead-letters/dead-letter-groups.js';
export {
  cancelOperation,
  createOperation,
  findOperation,
  listOperationJobs,
  listOperations,
  maxCounted,
  previewOfDeadLetters,
  previewOfDeliveries,
  previewOfLiveJobs,
  type NewOperation,
  type OperationRow,
  type Preview,
  type OperationJobRow,
} from './operations/operations.js';
export {
  listJobs,
  type JobConditions,
  type JobListFilter,
  type JobOrder,
  type JobSummaryRow,
  type SortedPosition,
} from './jobs/job-lists.js';
export {
  findJobForTimeline,
  type JobDeliveryRow,
  type JobEventRow,
  type JobHistory,
  listJobDeliveries,
  listJobHistory,
  listRelatives,
  type RelativeRow,
  type TimelineJobRow,
} from './jobs/job-history.js';
export {
  type JobLogAttempt,
  type JobLogPage,
  type JobLogPosition,
  type JobLogRow,
  listJobLogs,
} from './jobs/job-logs.js';
export { type JobStepRow, listJobSteps } from './jobs/job-steps.js';
export {
  countActiveJobs,
  countJobs,
  findJob,
  findJobStatuses,
  findLease,
  findLeases,
  areDependenciesMet,
} from './jobs/job-reads.js';
export type { JobCounts, JobRow, JobStatusRow } from './jobs/job-reads.js';
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
export {
  findExpiredPauses,
  findPause,
  listPauses,
  type PausePeriod,
  pauseQueue,
  type PauseRow,
  resumeQueue,
  secondsBetween,
} from './queue-settings/queue-pauses.js';
export * from './payload-contracts/payload-contracts.js';
export { findDueSchedules, type DueScheduleRow } from './schedules/due-schedules.js';
export * from './schedules/schedule.repository.js';
export {
  findWorker,
  type JobInHand,
  isWorkerDrained,
  listDrainedWorkers,
  listJobsInHand,
  findWorkersOfVersion,
  listWorkerVersions,
  listWorkers,
  type WorkerRow,
  type WorkerSummaryRow,
} from './workers/worker-reads.js';
export { listRunningJobs, type RunningJob } from './workers/running-jobs.js';
export { ApiKeyAuthenticator } from './credentials/api-key-authenticator.js';
export { ApiKeyDigests, noPepper } from './credentials/api-key-digests.js';
export type { ApiKeyIdentity } from './credentials/api-key-identity.js';
export { lookupOf, newApiKeyText, prefixOf } from './credentials/api-key-text.js';
export { noSharedCache } from './credentials/credential-cache.js';
export {
  createConsoleLogin,
  endAdministratorSession,
  isAdministratorSessionOpen,
  openAdministratorSession,
  bindConsoleCode,
  takeConsoleCode,
} from './credentials/console-sessions.js';
export { CredentialFeed, type CredentialFeedOptions, maxCacheAgeSeconds } from './credentials/credential-feed.js';
export type { CredentialChange } from './credentials/recent-changes.js';
export { deleteOldCredentialChanges, isSessionRevoked, revokeSession } from './credentials/revoked-sessions.js';
export { LastUseWriter } from './credentials/last-use-writer.js';
export {
  measureQueues,
  type QueueDepth,
  readGauges,
  refreshGauges,
  type SystemGauges,
} from './gauges/gauges.repository.js';
export {
  beginJobsCompaction,
  copyKeptJobs,
  dropHistoryPartition,
  dropJobsPartition,
  finishJobsCompaction,
  pastWeeks,
  planPastWeek,
  type PartitionedTable,
  type Week,
} from './partitions/partitions.repository.js';
export { addMissingPartitions } from './partitions/add-missing-partitions.js';
export {
  deleteExpiredRecords,
  listOrganizationPlans,
  type RetainedRecord,
  type RetentionBatch,
} from './retention/retention.repository.js';
export { markStaleWorkers, type StaleWorker } from './stale-workers/stale-workers.js';
export { findJobSettings, listPushQueues, type PushQueueRow } from './push-queues/push-queues.repository.js';
export { type ReplicaSettings } from './database/replica.js';
export { type StaleRead, staleReads } from './database/stale-reads.js';
export { readRequests } from './database/read-requests.js';
export { repeatableRead, type TransactionLimits } from './database/limits.js';
export { type Borrower, inBorrowedTransaction, sendAsTexts, sendDirectly } from './database/borrowed-transaction.js';
export { findOrganizationPlan, findOrganizationBySlug, type PlanRow } from './organizations/organization-plan.js';
export { forceIndexPlans } from './database/force-index-plans.queries.js';
export { isLockHeld, withAdvisoryLock } from './database/advisory-lock.js';
export { findJobStatus, findWebhookReceiver, type WebhookReceiver } from './ingestion/ingestion.repository.js';
export * from './api-keys/api-key.repository.js';
export * from './deliveries/held-deliveries.js';
export * from './outgoing-webhooks/outgoing-webhook.repository.js';
export {
  createOrganization,
  newWebhookToken,
  type CreatedOrganization,
  type NewOrganization,
} from './organizations/create-organization.js';
export * from './organizations/organization.repository.js';
export { lockResource } from './database/lock-resource.js';
export * from './batches/batch-reads.js';
export * from './workflows/workflow-reads.js';
export {
  eraseOrganization,
  isSortedByTime,
  listOrganizations,
  readSystemStats,
  resetUsage,
  retireOrganization,
} from './administration/administration.js';
