import { ClaimAdmission } from './claim-admission.js';

const queue = { organizationId: 'a', queueName: 'mail' };

/** An admission whose worker `leaving` was told to drain, and whose rates allow two jobs. */
function open(hasDrains = true) {
  const asked: string[][] = [];
  const rates = {
    claim: async <T>(
      _organization: string,
      _queue: string,
      wanted: number,
      claim: (limit: number) => Promise<T[]>,
    ) => ({
      jobs: await claim(Math.min(2, wanted)),
      retryInMs: 7,
    }),
  };
  const has = (...of: [string, string]) => (asked.push(of), Promise.resolve(of[1] === 'leaving'));
  const admission = new ClaimAdmission(rates, hasDrains ? { has } : null);
  const claim = (workerId: string | null) =>
    admission.claim({ ...queue, workerId }, 5, (limit) => Promise.resolve(Array.from({ length: limit }, () => 'job')));
  return { asked, claim };
}
const admitted = { jobs: ['job', 'job'], retryInMs: 7 };

describe('a claim', () => {
  it('gets what the rate of its queue allows', async () => {
    const { asked, claim } = open();
    expect(await claim('staying')).toEqual(admitted);
    expect(asked).toEqual([['a', 'staying']]);
  });

  it('gets nothing for a worker that was told to drain, and takes nothing from the rate', async () => {
    expect(await open().claim('leaving')).toEqual({ jobs: [], retryInMs: 0, isDraining: true });
  });

  it('is of no worker for a push queue, and drains nowhere else', async () => {
    const { asked, claim } = open();
    expect(await claim(null)).toEqual(admitted);
    expect(asked).toEqual([]);
    expect(await open(false).claim('leaving')).toEqual(admitted);
  });
});
