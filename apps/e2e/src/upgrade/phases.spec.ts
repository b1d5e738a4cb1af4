import { History } from '@spooled/testing';
import { Phases } from './phases.js';

/** What `Phases` reads of a load. */
const loadWith = () => ({ history: new History(0), errors: new Map<string, number>(), acknowledged: [] as number[] });

describe('the phases of an upgrade', () => {
  it('count what happened in each of them, and fail for requests that nobody may fail', () => {
    const load = loadWith();
    const phases = new Phases(load);
    phases.begin('older');
    load.acknowledged.push(1, 2);
    load.errors.set('503 SERVICE_UNAVAILABLE', 2).set('500 INTERNAL', 1);
    phases.begin('newer');
    load.acknowledged.push(3);
    load.errors.set('503 SERVICE_UNAVAILABLE', 3).set('no answer', 1);
    expect(phases.rows([], [])).toEqual([
      {
        ...{ phase: 'older', acknowledged: 2, lost: 0, doubled: 0, burnt: 0 },
        errors: { '503 SERVICE_UNAVAILABLE': 2, '500 INTERNAL': 1 },
        violations: ['noFailedRequests: 1 requests failed with 500 INTERNAL'],
      },
      {
        ...{ phase: 'newer', acknowledged: 1, lost: 0, doubled: 0, burnt: 0 },
        errors: { '503 SERVICE_UNAVAILABLE': 1, 'no answer': 1 },
        violations: ['noFailedRequests: 1 requests failed with no answer'],
      },
    ]);
  });

  it('have what is broken in the phase of the last call about the job, and else in the last one', () => {
    const load = loadWith();
    let now = 100;
    const phases = new Phases(load, () => now);
    phases.begin('older');
    const completion = { verb: 'complete', job: 'job-1', lease: 'lease-1', worker: 'w', outcome: 'ok' } as const;
    load.history.calls.push({ ...completion, tenant: 't', began: 0, ended: 1, from: 110, to: 120 });
    now = 200;
    phases.begin('newer');
    const violations = [
      { rule: 'nothingLost', what: 'job-1 was completed and is undefined' },
      { rule: 'countsEqual', what: 'created of t: 1 are kept, 2 exist' },
    ] as const;
    const [older, newer] = phases.rows(violations, [{ at: 199, job: 'job-2', event: 'lease_expired' }]);
    expect(older).toMatchObject({ lost: 1, doubled: 0, burnt: 1 });
    expect(newer!.violations).toEqual(['countsEqual: created of t: 1 are kept, 2 exist']);
  });
});
