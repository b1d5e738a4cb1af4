import { systemActor } from '@spooled/contracts';
import { createThrottle } from '@spooled/data-access';
import { internalError, notFound, unavailable } from '@spooled/domain';
import { createTenant, ManualClock, useConnections, useDatabase } from '@spooled/testing';
import { LocalRateLimiter } from '@spooled/transport';
import { openRateLimiter } from '../limits/rate-limits.js';
import { Throttles } from './throttles.js';

const stores = useDatabase();
const database = useConnections(stores, { maxConnections: 2 });
/** A process that learns of no change. */
const changes = { feed: { onChange: () => () => undefined, isCurrent: () => true }, notices: null };
let organizationId: string;
let clock: ManualClock;
/** A whole burst. */
const body = { jobs: Array.from({ length: 100 }, () => ({ queueName: 'mail', tags: null })) } as never;

beforeEach(async () => {
  ({ organizationId } = await createTenant(stores.superuserUrl));
  clock = new ManualClock();
  const target = { apiKeyId: null, queueName: 'mail', tagName: null, tagValue: null };
  const limit = { perSecond: 0.01, seconds: 60, createdBy: systemActor('spec') };
  await database.withTenant(organizationId, async (tx) => (await tx.one(createThrottle, { ...target, ...limit })).id);
});

const create = (throttles: Throttles, run: () => Promise<unknown> = () => Promise.resolve('created')) =>
  throttles.run('job.enqueue', { organizationId }, body, run);
const open = (limiter = new LocalRateLimiter(clock)) => new Throttles(database, changes, limiter, clock);
const throttled = { code: 'THROTTLED' };

describe('BX-15 a throttle', () => {
  it('ends at its time also in a process that has read it before', async () => {
    const throttles = open();
    expect(await create(throttles)).toBe('created');
    await clock.advance(30_000);
    await expect(create(throttles)).rejects.toMatchObject(throttled);
    await clock.advance(30_000);
    for (let i = 0; i < 2; i++) expect(await create(throttles)).toBe('created');
  });

  it.each([
    ['are not created', () => notFound('Queue'), 'created'],
    ['may have been created, as PostgreSQL was lost', () => unavailable('PostgreSQL'), throttled],
    ['may have been created, for a reason that is a defect', () => internalError(), throttled],
    ['may have been created, for a reason that is unknown', () => new Error('lost'), throttled],
  ])('counts jobs unless they %s', async (_, problem, next) => {
    const throttles = open();
    const error = problem();
    await expect(create(throttles, () => Promise.reject(error))).rejects.toBe(error);
    const outcome = await create(throttles).catch((thrown: unknown) => thrown);
    if (typeof next === 'string') expect(outcome).toBe(next);
    else expect(outcome).toMatchObject(next);
  });

  it('holds with RATE_LIMIT_ENABLED=false', async () => {
    const settings = { RATE_LIMIT_ENABLED: false, RATE_LIMIT_FAIL_CLOSED: false };
    const throttles = new Throttles(database, changes, openRateLimiter(null, settings));
    expect(await create(throttles)).toBe('created');
    await expect(create(throttles)).rejects.toMatchObject(throttled);
  });
});
