import { integer, setting } from '@spooled/platform';

/** Defaults and limits of workers. */
export const jobSettings = {
  WORKER_LEASE_DURATION_SECS: setting(
    integer({ min: 5, max: 3600 }).default(30),
    'Default lease duration, where the worker requests none.',
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
