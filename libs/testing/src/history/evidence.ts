import { type Call, type CallOf, callsOf, type Grant, mayHaveHappened } from './call.js';
import type { FinalState, StoredJob } from './final-state.js';

export interface ReceivedLease extends Grant {
  claim: CallOf<'claim'>;
  /** The latest expiry that its worker was told. */
  extendedTo: number;
  /** A renewal has no answer, so the lease may have been valid for longer. */
  mayBeLonger: boolean;
  /** Calls that may have ended it, in the order of their beginning. */
  endings: CallOf<'complete' | 'fail' | 'release' | 'wait' | 'requestCancel'>[];
}

/** What the rules look at. */
export interface Evidence {
  calls: readonly Call[];
  state: FinalState;
  /** By job, in the order in which their claims began. */
  leases: ReadonlyMap<string, ReceivedLease[]>;
  stored: ReadonlyMap<string, StoredJob>;
  /** Places that each queue has for running jobs; absent = no bound. */
  concurrency: ReadonlyMap<string, number>;
}

export function collectEvidence(
  calls: readonly Call[],
  state: FinalState,
  concurrency: ReadonlyMap<string, number> = new Map(),
): Evidence {
  const leases = receivedLeases(calls);
  return {
    calls,
    state,
    leases: Map.groupBy(leases, ({ job }) => job),
    stored: new Map(state.jobs.map((job) => [job.id, job])),
    concurrency,
  };
}

function receivedLeases(calls: readonly Call[]): ReceivedLease[] {
  const endings = Map.groupBy(
    callsOf(calls, 'complete', 'fail', 'release', 'wait').filter(
      (call) => mayHaveHappened(call) && !(call.verb === 'wait' && call.answer),
    ),
    ({ lease }) => lease,
  );
  const forced = Map.groupBy(
    callsOf(calls, 'requestCancel').filter((call) => mayHaveHappened(call) && call.force),
    ({ job }) => job,
  );
  const endingsOf = (grant: Grant, claim: CallOf<'claim'>) => [
    ...(endings.get(grant.lease) ?? []),
    ...(forced.get(grant.job) ?? []).filter(({ ended }) => ended > claim.began),
  ];
  const renewals = Map.groupBy(callsOf(calls, 'renew'), ({ lease }) => lease);
  return callsOf(calls, 'claim')
    .toSorted((a, b) => a.began - b.began)
    .flatMap((claim) =>
      (claim.answer ?? []).map((grant) => ({
        ...grant,
        claim,
        extendedTo: Math.max(grant.expiresAt, ...(renewals.get(grant.lease) ?? []).map(({ answer }) => answer ?? 0)),
        mayBeLonger: (renewals.get(grant.lease) ?? []).some(({ outcome }) => outcome === 'unknown'),
        endings: endingsOf(grant, claim).toSorted((a, b) => a.began - b.began),
      })),
    );
}
