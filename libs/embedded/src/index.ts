export { EmbeddedBatches } from './embedded-batches.js';
export {
  EmbeddedJobs,
  type EnqueuedJob,
  type EnqueuedJobs,
  type NewJobs,
  type TransactionClient,
} from './embedded-jobs.js';
export { type EmbeddedOptions, EmbeddedSpooled, type EmbeddedWorkerOptions } from './embedded-spooled.js';
export type { EmbeddedSettings } from './embedded-settings.js';
export { migrate, type MigrateOptions, type MigrationReport } from './migrate.js';
export { connect, type ConnectAnywhereOptions, type EmbeddedConnectOptions } from './connect.js';
