export type { Effects, JobSpan, Wakeup, WorkflowChange } from './step/effects.js';
export { enqueueIn } from './enqueue/enqueue-in.js';
export { requireReceiver } from './enqueue/receivers.js';
export { BlockedTenants } from './engine/blocked-tenants.js';
export { JobEngine, type JobEngineOptions } from './engine/job-engine.js';
/** @internal How many transactions the commands need, for the spec of redelivery. */
export { batchedKinds } from './engine/commands.js';
export { CommandPath, type CommandPathOptions, type PathMode } from './engine/command-path.js';
export { GroupCommit, type GroupCommitOptions } from './engine/group-commit.js';
export {
  type DueSchedule,
  type ScheduledRun,
  ScheduleFiring,
  type ScheduleFiringOptions,
} from './schedules/schedule-firing.js';
export { Latencies, type LatenciesOptions } from './latencies/latencies.js';
export { Maintenance, type MaintenanceOptions } from './recover/maintenance.js';
export { Operations, type OperationsOptions } from './operations/operations.js';
export { planRerun } from './workflows/plan-rerun.js';
export { patchPayload, type PatchedPayload } from './operations/patch-payloads.js';
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
export { TaskLoop, type TaskReporter } from './tasks/task-loop.js';
