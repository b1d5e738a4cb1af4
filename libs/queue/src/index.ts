export type { Effects, JobSpan } from './step/effects.js';
export { type CommittedCompletion, completeIn } from './complete/complete-in.js';
export { enqueueIn } from './enqueue/enqueue-in.js';
export { hasCaps } from './enqueue/enqueue.js';
export { requireReceiver } from './enqueue/receivers.js';
export { BlockedTenants } from './step/blocked-tenants.js';
export { JobEngine } from './engine/job-engine.js';
/** @internal How many transactions the commands need, for the spec of redelivery. */
export { batchedKinds } from './engine/commands.js';
export { CommandPath } from './engine/command-path.js';
export { GroupCommit } from './engine/group-commit.js';
export { type DueSchedule, ScheduleFiring } from './schedules/schedule-firing.js';
export { Latencies } from './latencies/latencies.js';
export { Maintenance } from './recover/maintenance.js';
export { Operations } from './operations/operations.js';
export { planRerun } from './workflows/plan-rerun.js';
export { receiverProblems } from './operations/move-jobs.js';
export { patchPayload } from './operations/patch-payloads.js';
export { isSchedulerRunning, SchedulerPresence } from './tasks/scheduler-presence.js';
export { Deadlines } from './tasks/deadlines.js';
export {
  CommandsTask,
  CountersTask,
  DependenciesTask,
  DueJobsTask,
  ExpiryTask,
  LeaseRecoveryTask,
  OperationsTask,
  StaleWorkersTask,
  WorkerCountersTask,
} from './tasks/job-tasks.js';
export type { DeadlineTask, ScheduledTask } from './tasks/scheduled-task.js';
export { type TaskInterval, taskIntervals, type TaskName } from './tasks/task-intervals.js';
export { runLocked, TaskLoop, type TaskReporter } from './tasks/task-loop.js';
export { TaskTurns } from './tasks/task-turns.js';
