import type { LeasedJob } from '@spooled/sdk';
import { ManualClock } from '@spooled/testing';
import { PrefetchedJobs } from './prefetched-jobs.js';

interface Claim {
  limit: number;
  answer(...ids: number[]): void;
}

const size = 4;
/** Whatever begins without an answer has begun then. */
const settled = () => new Promise((resolve) => setImmediate(resolve));
const jobsOf = (...ids: number[]) => ids.map((id) => ({ id: String(id) }) as LeasedJob);

function prefetched() {
  const claims: Claim[] = [];
  const released: LeasedJob[] = [];
  const claim = (limit: number) =>
    new Promise<LeasedJob[]>((resolve) => {
      claims.push({ limit, answer: (...ids) => resolve(jobsOf(...ids)) });
    });
  const jobs = new PrefetchedJobs({
    size,
    leaseMs: 30_000,
    clock: new ManualClock(),
    claim,
    renew: () => Promise.resolve({ cancelRequested: false }),
    release: (left) => Promise.resolve(void released.push(...left)),
  });
  return { jobs, claims, released };
}

/** All of the first claim are taken, and `next` waits for the second one. */
async function withClaimInFlight() {
  const all = prefetched();
  const first = all.jobs.next(size);
  await settled();
  all.claims[0]!.answer(...Array.from({ length: 2 * size }, (_, id) => id));
  await first;
  await all.jobs.next(size);
  return { ...all, next: all.jobs.next(1) };
}

describe('PrefetchedJobs', () => {
  it('gives jobs in the order of their claims, and claims no more while a claim is in flight', async () => {
    const { jobs, claims } = prefetched();
    const first = jobs.next(1);
    await settled();
    claims[0]!.answer(1, 2, 3, 4, 5);
    expect(await first).toEqual(jobsOf(1));
    for (const id of [2, 3, 4, 5]) expect(await jobs.next(1)).toEqual(jobsOf(id));
    expect(claims.map(({ limit }) => limit)).toEqual([size + 1, 3]);

    const next = jobs.next(1);
    await settled();
    expect(claims).toHaveLength(2);
    claims[1]!.answer(6, 7, 8);
    expect(await next).toEqual(jobsOf(6));
  });

  it('claims at once when the claim in flight has found nothing', async () => {
    const { claims, next } = await withClaimInFlight();
    claims[1]!.answer();
    await settled();
    claims[2]!.answer(9);
    expect(await next).toEqual(jobsOf(9));
  });

  it('claims nothing more when it is stopped during a claim, and releases what that one brings', async () => {
    const { jobs, claims, released, next } = await withClaimInFlight();
    const stopped = jobs.stop();
    claims[1]!.answer(8, 9);
    await stopped;
    expect(claims).toHaveLength(2);
    expect(await next).toEqual([]);
    expect(released).toEqual(jobsOf(8, 9));
  });
});
