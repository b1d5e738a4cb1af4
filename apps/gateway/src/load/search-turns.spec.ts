import { productMetrics } from '@spooled/contracts';
import { createMetrics } from '@spooled/platform';
import { createTenant, ManualClock, type TestTenant, untilLocked } from '@spooled/testing';
import pg from 'pg';
import { useGateway } from '../gateway.fixture.js';
import { SearchTurns } from './search-turns.js';

describe('BX-03 searches of one organization', () => {
  let [many, other] = [] as unknown as [TestTenant, TestTenant];
  let [holder, observer] = [] as unknown as [pg.Client, pg.Client];
  // Before the database is dropped.
  afterAll(() => Promise.all([holder?.end(), observer?.end()]));
  // Searches wait for a lock as long as a test holds it.
  const { database, gateway } = useGateway({ DATABASE_QUERY_TIMEOUT_MS: '60000' });
  beforeAll(async () => {
    [many, other] = await Promise.all([createTenant(database.superuserUrl), createTenant(database.superuserUrl)]);
    [holder, observer] = [new pg.Client(database.superuserUrl), new pg.Client(database.superuserUrl)];
    await Promise.all([holder.connect(), observer.connect()]);
    // Those that wait for their turn are not refused, however long a step of a test takes.
    Object.assign(gateway.app.get(SearchTurns), new SearchTurns(new ManualClock(), gateway.service.metrics));
  });

  const dryRun = { queue_name: 'mail', search: 'payload.a=1', dry_run: true };
  const filter = encodeURIComponent('payload.a=1');
  const searches: [about: string, ...Parameters<typeof gateway.request>][] = [
    ['a search line', 'GET', `/jobs?search=${filter}`, ''],
    ['a word', 'GET', '/jobs?q=mail', ''],
    ['a tag', 'GET', '/jobs?tag=urgent', ''],
    ['running jobs', 'GET', `/jobs/running?search=${filter}`, ''],
    ['dead letters by cause', 'GET', `/jobs/dlq/groups?search=${filter}`, ''],
    ['a dry run', 'POST', '/jobs/cancellations', '', dryRun],
  ];

  it.each(searches)(
    'are made one at a time, beside those of others and lists without a filter: %s',
    async (_, ...request) => {
      const [method, path, , body] = request;
      const send = (key: string) => gateway.request(method, path, key, body);
      await holder.query('BEGIN');
      await holder.query('LOCK TABLE jobs, dead_letters, job_queue IN ACCESS EXCLUSIVE MODE');
      const first = send(many.key);
      await untilLocked(observer, 1);
      const waiting = [send(many.key), send(many.key)];
      // Each of these begins at once.
      const others = [send(other.key), gateway.request('GET', '/jobs', many.key)];
      await untilLocked(observer, 3);
      await holder.query('ROLLBACK');
      const responses = await Promise.all([first, ...waiting, ...others]);
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    },
  );

  it('are refused after 5 s without a turn, which is counted', async () => {
    const clock = new ManualClock();
    const metrics = createMetrics(productMetrics);
    const turns = new SearchTurns(clock, metrics);
    const ended = Promise.withResolvers<string>();
    const search = (organization: string, read: () => Promise<string>) => turns.run(organization, { q: 'a' }, read);
    const first = search('many', () => ended.promise);
    const second = search('many', () => Promise.resolve('second')).catch((error: Error) => error);
    await clock.advance(4_999);
    expect(await search('other', () => Promise.resolve('other'))).toBe('other');
    expect(await turns.run('many', {}, () => Promise.resolve('list'))).toBe('list');
    await clock.advance(1);
    expect(await second).toMatchObject({ status: 503, message: expect.stringContaining('Other searches') });
    expect(await metrics.text()).toContain('spooled_requests_shed_total{protocol="rest",reason="searches"} 1');
    ended.resolve('first');
    expect(await first).toBe('first');
    expect(await search('many', () => Promise.resolve('third'))).toBe('third');
  });
});
