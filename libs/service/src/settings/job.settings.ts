import { requestLimits } from '@spooled/contracts';
import { integer, setting, type SettingsOf } from '@spooled/platform';

/** Defaults and limits of new jobs. */
export const newJobSettings = {
  QUEUE_DEFAULT_MAX_RETRIES: setting(
    integer({ min: 0, max: 100 }).default(3),
    'Default retries, where neither the job nor its queue sets any.',
  ),
  QUEUE_DEFAULT_TIMEOUT_SECS: setting(
    integer({ min: 1, max: 86_400 }).default(300),
    'Default job timeout in seconds, where neither the job nor its queue sets one.',
  ),
  QUEUE_MAX_PAYLOAD_SIZE_BYTES: setting(
    integer({ min: 1024, max: requestLimits.bodyBytes }).default(1_048_576),
    'Maximum size of a payload or result in bytes, regardless of plan.',
  ),
  BATCH_MAX_JOBS: setting(integer({ min: 1, max: 10_000_000 }).default(1_000_000), 'Maximum jobs in a batch.'),
};

type JobDefaults = Pick<SettingsOf<typeof newJobSettings>, 'QUEUE_DEFAULT_MAX_RETRIES' | 'QUEUE_DEFAULT_TIMEOUT_SECS'>;

/** Of jobs that set none, in queues that set none. */
export const jobDefaults = (settings: JobDefaults) => ({
  maxRetries: settings.QUEUE_DEFAULT_MAX_RETRIES,
  timeoutSeconds: settings.QUEUE_DEFAULT_TIMEOUT_SECS,
});

/** How workers report. */
export const workerSettings = {
  WORKER_HEARTBEAT_INTERVAL_SECS: setting(
    integer({ min: 1, max: 300 }).default(10),
    'Heartbeat interval in seconds that workers are told to use; after 2 missed heartbeats a worker is degraded, after 5 offline.',
  ),
};
