import { ManualClock } from '@spooled/testing';
import { AccessDeniedError, NetworkError, ServerError } from '../http/errors.js';
import type { EndedJob } from './connection.js';
import { JobWaits } from './job-waits.js';

const done: EndedJob = { id: 'a', status: 'completed', result: 7, lastError: null };

describe('BX-18 a wait for the end of a job', () => {
  let clock: ManualClock;
  let answer: () => Promise<EndedJob[]>;
  let waits: JobWaits;
  beforeEach(() => {
    clock = new ManualClock();
    waits = new JobWaits({ ended: () => answer() } as never, clock);
  });
  afterEach(() => clock.assertIdle());

  it.each([new ServerError('restarting', 503, 'SERVICE_UNAVAILABLE'), new NetworkError('no response', undefined)])(
    'goes on while the server is away: %s',
    async (away) => {
      answer = () => Promise.reject(away);
      const ended = waits.for('a', 60_000);
      await clock.advance(10_000);
      answer = () => Promise.resolve([done]);
      await clock.advance(1_000);
      expect(await ended).toEqual(done);
    },
  );

  it('lasts as long as it was asked to, and says why the server could not be asked', async () => {
    const away = new ServerError('restarting', 503, 'SERVICE_UNAVAILABLE');
    answer = () => Promise.reject(away);
    const late = expect(waits.for('a', 5_000)).rejects.toMatchObject({ name: 'JobTimeoutError', cause: away });
    await clock.advance(6_000);
    await late;
  });

  it('ends at once when the server refuses to answer', async () => {
    const refused = new AccessDeniedError('not with this key', 403, 'ACCESS_DENIED');
    answer = () => Promise.reject(refused);
    await expect(waits.for('a', 60_000)).rejects.toBe(refused);
  });
});
