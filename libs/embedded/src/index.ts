export { EmbeddedBatches } from './embedded-batches.js';
export type { EnqueuedJob } from '@spooled/sdk/internal';
export { EmbeddedJobs, type EnqueuedJobs, type NewJobs } from './embedded-jobs.js';
export type { DatabaseClient, SqlClient } from '@spooled/sdk/outbox';
export { type EmbeddedOptions, EmbeddedSpooled, type EmbeddedWorkerOptions } from './embedded-spooled.js';
export type { EmbeddedSettings } from './embedded-settings.js';
export { migrate, type MigrateOptions, type MigrationReport } from './migrate.js';
export { connect, type ConnectAnywhereOptions, type EmbeddedConnectOptions } from './connect.js';
