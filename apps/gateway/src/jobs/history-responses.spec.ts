import type { JobEventRow } from '@spooled/data-access';
import { toJobEvent } from './history-responses.js';

const row = (event: string, details: object | null = null): JobEventRow => ({
  id: 'e',
  event,
  at: '2026-01-01T00:00:00Z',
  worker_id: 'w',
  lease_id: null,
  attempt: 2,
  actor: null,
  error: 'why',
  details: details as JobEventRow['details'],
});

describe('an attempt that ended without success', () => {
  it.each<[string, object, [type: string, actor: string, more: object]]>([
    ['failed', { will_retry: true }, ['failed', 'w', { will_retry: true, retry_count: 2 }]],
    ['failed', { will_retry: false }, ['failed', 'w', { will_retry: false, retry_count: 1 }]],
    ['timeout', { will_retry: true }, ['failed', 'lease-recovery', { reason: 'timeout', will_retry: true }]],
    ['lease_expired', { will_retry: true }, ['lease_expired', 'lease-recovery', { to: 'pending' }]],
    ['lease_expired', { will_retry: false }, ['lease_expired', 'lease-recovery', { to: 'deadletter' }]],
    ['worker_lost', { will_retry: true }, ['lease_expired', 'stale-workers', { reason: 'worker_offline' }]],
    ['deadlettered', { cause: 'failed' }, ['deadlettered', 'w', { cause: 'failed' }]],
    ['deadlettered', { cause: 'timeout' }, ['deadlettered', 'lease-recovery', { cause: 'timeout' }]],
    ['deadlettered', { cause: 'worker_lost' }, ['deadlettered', 'stale-workers', { cause: 'worker_offline' }]],
  ])('BX-14 %s %j', (event, details, [type, actor, more]) => {
    const read = toJobEvent('j', row(event, details));
    expect([read.event_type, read.details?.actor?.id]).toEqual([type, actor]);
    expect(read.details).toMatchObject({ error: 'why', attempt: 2, ...more });
  });
});

it('an event without details has its actor, which is null if unknown', () => {
  expect(toJobEvent('j', { ...row('dependencies_met'), worker_id: null, error: null }).details).toEqual({
    actor: null,
  });
});
