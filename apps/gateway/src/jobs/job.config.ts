import { requestLimits } from '@spooled/contracts';
import { integer, setting } from '@spooled/platform';

/** Defaults and limits of jobs and workers. */
export const jobSettings = {
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
  WORKER_LEASE_DURATION_SECS: setting(
    integer({ min: 5, max: 3600 }).default(30),
    'Default lease duration, where the worker requests none.',
  ),
  WORKER_HEARTBEAT_INTERVAL_SECS: setting(
    integer({ min: 1, max: 300 }).default(10),
    'Heartbeat interval that workers are asked to use.',
  ),
  CLAIM_MAX_WAITING: setting(
    integer({ min: 0 }).default(1000),
    'Maximum waiting claims (wait_seconds) per organization and gateway; further ones return at once.',
  ),
  WORKER_MAX_CONCURRENCY: setting(
    integer({ min: 1, max: 100 }).default(5),
    'Default concurrency of a worker that reports none.',
  ),
};
