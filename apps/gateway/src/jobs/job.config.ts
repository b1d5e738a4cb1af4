import { requestLimits } from '@spooled/contracts';
import { integer, setting } from '@spooled/platform';

/** What holds for jobs and workers that say nothing themselves. */
export const jobSettings = {
  QUEUE_DEFAULT_MAX_RETRIES: setting(
    integer({ min: 0, max: 100 }).default(3),
    'Retries of a job and queue that name none.',
  ),
  QUEUE_DEFAULT_TIMEOUT_SECS: setting(
    integer({ min: 1, max: 86_400 }).default(300),
    'Timeout in seconds of a job and queue that name none.',
  ),
  QUEUE_MAX_PAYLOAD_SIZE_BYTES: setting(
    integer({ min: 1024, max: requestLimits.bodyBytes }).default(1_048_576),
    'Largest payload and result of a job, whatever the plan says, in bytes.',
  ),
  WORKER_LEASE_DURATION_SECS: setting(
    integer({ min: 5, max: 3600 }).default(30),
    'Length of a lease for which the worker names none.',
  ),
  WORKER_HEARTBEAT_INTERVAL_SECS: setting(
    integer({ min: 1, max: 300 }).default(10),
    'How often workers are told to report.',
  ),
  CLAIM_MAX_WAITING: setting(
    integer({ min: 0 }).default(1000),
    'Claims of one organization that may wait for work (wait_seconds) at one gateway; further ones are answered at once.',
  ),
  WORKER_MAX_CONCURRENCY: setting(integer({ min: 1, max: 100 }).default(5), 'Concurrency of a worker that names none.'),
};
