export { AccessTokens, type TokenClaims, type TokenSubject } from './auth/access-tokens.js';
export { AuthModule } from './auth/auth.module.js';
export { Authenticator } from './auth/authenticator.service.js';
export { type AuthenticationAttempt, CallerAuthenticator } from './auth/caller-authenticator.service.js';
export {
  acceptConsoleCookies,
  type ConsoleCookie,
  consoleCookieName,
  consoleCookies,
  consoleToken,
  hasOwnOrigin,
  isSecure,
  readConsoleCookie,
} from './auth/console-cookie.js';
export { CredentialsModule } from './auth/credentials.module.js';
export { findCredential } from './auth/find-credential.js';
export type { Principal } from './auth/principal.js';
export { seesReceivers, shownReceiver, type Viewer } from './auth/receiver-urls.js';
export { RevokedSessions } from './auth/revoked-sessions.js';
export { TokenAuthenticator } from './auth/token-authenticator.js';
export { batchJobPage, batchPage } from './batches/batch-pages.js';
export { toBatchJobResponse, toBatchResponse } from './batches/batch-responses.js';
export { newBatch } from './batches/new-batch.js';
export { CommandsModule, LocalEngineModule } from './commands/commands.module.js';
export { Commands } from './commands/commands.service.js';
export { CompletionBatches } from './commands/completion-batches.js';
export { type Caller, newCommand } from './commands/new-command.js';
export { noCaller, noOrganization, openConnections, warmUp, warmUpEngine } from './lifecycle/warm-up.js';
export { releaseUnclaimed } from './commands/release-unclaimed.js';
export { EffectsModule } from './effects/effects.module.js';
export { QueueChanges, queuePaused, queueResumed } from './effects/queue-changes.js';
export { EffectsPublisher } from './effects/effects-publisher.service.js';
export { IsolationChecks } from './isolation/isolation-checks.service.js';
export { toJobResponse } from './jobs/job-response.js';
export { reportedLines, toLogsResponse } from './jobs/job-logs.js';
export { ProgressReports } from './jobs/progress-reports.js';
export {
  documentText,
  newJobs,
  newJobsOfBulk,
  type NewJobRules,
  type PreparedJob,
  toNewJob,
  utc,
} from './jobs/new-job.js';
export { countTimeAndId, decodeCursor, idOnly, nameOnly, sortKeyAndId, timeAndId } from './lists/cursor.js';
export {
  byCreation,
  mapPage,
  type Page,
  pageOf,
  pageOfSearch,
  rowsOf,
  searchedRowsOf,
  textPage,
} from './lists/list-page.js';
export { admitRequests } from './http/admit-requests.js';
export { createHttpService } from './http/create-http-service.js';
export { disconnectSignal, endSignal } from './http/disconnect-signal.js';
export {
  bodyTooLarge,
  clientDisconnected,
  errorBody,
  hasDisconnected,
  logFailure,
  sendError,
  toErrorResponse,
  toSpooledError,
} from './http/error-response.js';
export { healthBody } from './http/health-body.js';
export { HttpErrorsModule } from './http/http-errors.module.js';
export { longBodyBytes, readJson } from './http/long-json.js';
export { responseHeaders, versionHeader } from './http/response-headers.js';
export { serveConsole } from './http/serve-console.js';
export { startApp, startHttpApp } from './lifecycle/start-app.js';
export { AddressLimits, proxyTrust, type AddressCall, type AddressWindow } from './limits/address-limits.js';
export { LimitsModule, QueueRatesModule, StreamSlotsModule } from './limits/limits.module.js';
export { type AdmittedClaim, ClaimAdmission, type DrainCheck } from './claims/claim-admission.js';
export { QueueRates, type RatedClaim } from './limits/queue-rates.js';
export { Throttles } from './throttles/throttles.js';
export { ThrottlesModule } from './throttles/throttles.module.js';
export { consoleBucket, limitsOfKey, organizationBucket } from './limits/principal-limits.js';
export { ownerOfPrincipal } from './limits/share-owner.js';
export { rateCostHeader, rateExceeded, rateHeaders, reportCharge, uncounted } from './limits/rate-limits.js';
export type { CheckCaller } from './payload-contracts/check-caller.js';
export { CheckPool } from './payload-contracts/check-pool.js';
export { PayloadContracts, type NewPayload } from './payload-contracts/payload-contracts.js';
export { PayloadContractsModule } from './payload-contracts/payload-contracts.module.js';
export { RequestChecks } from './payload-contracts/request-checks.js';
export { optionalProvider, provider } from './provider.js';
export { CronTask } from './schedules/cron.task.js';
export { DueSchedules, type FiredRun } from './schedules/due-schedules.js';
export { addSchedule, replaceSchedule } from './schedules/schedule-changes.js';
export { changedSchedule, newSchedule, scheduleDefaults, storedSettings } from './schedules/schedule-fields.js';
export { apiKeySettings, tokenSettings } from './settings/auth.settings.js';
export { callbackPolicy, callbackSettings } from './settings/callback.settings.js';
export { deliverySettings } from './settings/delivery.settings.js';
export { consoleSettings } from './settings/console.settings.js';
export { corsSettings } from './settings/http.settings.js';
export { newJobSettings, workerSettings } from './settings/job.settings.js';
export { addressSettings, rateLimitSettings, unsentSettings } from './settings/limit.settings.js';
export { planSettings } from './settings/plan.settings.js';
export { PlansModule } from './settings/plans.module.js';
export {
  commandSettings,
  databaseSettings,
  redisSettings,
  replicaSettings,
  wakeupSettings,
} from './settings/store.settings.js';
export { shardAddresses } from './stores/open-redis.js';
export { StoresModule } from './stores/stores.module.js';
export { CLOCK, PLAN_OVERRIDES, REDIS, SHARED_CREDENTIALS } from './tokens.js';
export { type ReservedBytes, UnsentReader } from './unsent/unsent-reader.js';
export { UnsentBytes } from './unsent/unsent-bytes.js';
export { UnsentModule } from './unsent/unsent.module.js';
export { QueueWakeups } from './wakeups/queue-wakeups.js';
export { WakeupsModule } from './wakeups/wakeups.module.js';
