import { callsOf } from './call.js';
import type { Evidence, ReceivedLease } from './evidence.js';

/** I2: one attempt is completed each time that a job is put into its queue. A worker may tell it twice. */
function acceptedOnce({ calls }: Evidence): string[] {
  // A retry brings children back too, but no completed ones.
  const retried = new Set(callsOf(calls, 'retry').map(({ job }) => job));
  const accepted = callsOf(calls, 'complete').filter(({ outcome, job }) => outcome === 'ok' && !retried.has(job));
  return [...Map.groupBy(accepted, ({ job }) => job)].flatMap(([job, completions]) => {
    const leases = new Set(completions.map(({ lease }) => lease));
    return leases.size > 1 ? [`${job}: completions of ${leases.size} leases were accepted`] : [];
  });
}

/** I2: a lease that has ended, or belongs to another worker, is refused. */
function staleLeasesRefused({ calls, leases }: Evidence): string[] {
  return callsOf(calls, 'complete', 'fail', 'release', 'renew', 'step', 'wait').flatMap((call) => {
    if (call.outcome !== 'ok') return [];
    const ofJob = leases.get(call.job) ?? [];
    const own = ofJob.find(({ lease }) => lease === call.lease);
    const name = `${call.job}: ${call.verb} of lease ${call.lease} by ${call.worker}`;
    if (!own) return [`${name}, which nobody received`];
    if (own.claim.worker !== call.worker) return [`${name}, which ${own.claim.worker} holds`];
    if (own.claim.tenant !== call.tenant) return [`${name}, of another tenant`];
    if (call.from > lastExpiry(own, call) && !isRepeated(own, call)) return [`${name} after it had expired`];
    if (isRepeated(own, call)) return [];
    const later = ofJob.some(({ claim }) => claim.began > own.claim.ended && claim.ended < call.began);
    return later ? [`${name} after a later lease`] : [];
  });
}

/** The job was completed with this lease before: then a worker that tells it again is told so, also when the lease has expired. */
const isRepeated = ({ endings }: ReceivedLease, call: { verb: string; began: number }): boolean =>
  call.verb === 'complete' && endings.some(({ verb, began }) => verb === 'complete' && began < call.began);

/** When the lease ends by itself at the latest, if the renewal that is judged is left out. */
function lastExpiry(lease: ReceivedLease, call: { verb: string }): number {
  return call.verb === 'renew' || lease.mayBeLonger ? Number.POSITIVE_INFINITY : lease.extendedTo;
}

/** I3: a job is leased again only when its lease has ended. */
function leasesDoNotOverlap({ leases }: Evidence): string[] {
  return [...leases.values()].flatMap((ofJob) =>
    ofJob.flatMap((earlier, i) =>
      ofJob
        .slice(i + 1)
        .filter((later) => later.lease !== earlier.lease && !mayHaveEnded(earlier, later))
        .filter((later) => later.claim.began > earlier.claim.ended || !mayHaveEnded(later, earlier))
        .map(({ lease }) => `${earlier.job}: leases ${earlier.lease} and ${lease} overlap`),
    ),
  );
}

const mayHaveEnded = (lease: ReceivedLease, next: ReceivedLease): boolean =>
  lease.extendedTo <= next.claim.to || lease.endings.some(({ began }) => began < next.claim.ended);

/** I9: at no moment hold workers more leases of a queue than it allows. */
function concurrencyKept({ leases, concurrency }: Evidence): string[] {
  return [...concurrency].flatMap(([queue, most]) => {
    const held = [...leases.values()].flat().filter(({ claim }) => claim.queue === queue);
    return [...Map.groupBy(held, ({ claim }) => claim.tenant)].flatMap(([tenant, own]) => {
      const found = Math.max(
        0,
        ...own.map(({ claim }) => own.filter((lease) => isHeldAt(lease, claim.ended, claim.to)).length),
      );
      return found > most ? [`${tenant}/${queue}: ${found} leases at once, ${most} are allowed`] : [];
    });
  });
}

/** It was certainly held at this place and time. */
const isHeldAt = ({ claim, extendedTo, endings }: ReceivedLease, place: number, time: number): boolean =>
  claim.ended <= place && extendedTo > time && !endings.some(({ began }) => began < place);

export const leaseRules = { acceptedOnce, staleLeasesRefused, leasesDoNotOverlap, concurrencyKept };
