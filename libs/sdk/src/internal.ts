// What `spooled-embedded` and the command line share with this package, and is released together with it: not a public interface.
export { fromWire, toWire } from './http/case.js';
export { errorOf, isAlreadyCompleted } from './http/errors.js';
export { listOf } from './http/list.js';
export { parseJson, writeJson } from './http/json.js';
export type { Failure, HeldLease, Registration, Renewal, ServerTimings, Wait } from './worker/work-source.js';
export type { WorkerClock } from './worker/clock.js';
export { emitError } from './worker/emit-error.js';
export { App, type AppOptions } from './app/app.js';
export { connect } from './app/connect.js';
export type {
  Connection,
  ConnectionWorkerOptions,
  EndedJob,
  EnqueuedJob,
  GivenSignal,
  JobTransaction,
} from './app/connection.js';
export { requireAmount, requireKnown } from './app/known-options.js';
export type { DeclaredSchedule, ScheduleStore, StoredSchedule } from './app/schedules.js';
export { endedJobs } from './app/services-connection.js';
export { milliseconds } from './app/duration.js';
export { withoutType } from './app/new-job.js';
export { handlerOf } from './worker/handlers.js';
export { JobRun } from './worker/job-run.js';
export { currentApp } from './app/current-app.js';
export { type DatabaseClient, isConnection, rowsOf, sqlClientOf } from './sql/sql-client.js';
