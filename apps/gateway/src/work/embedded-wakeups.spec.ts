import { WakeupSender } from '@spooled/data-access';
import {
  eventually,
  openConnections,
  startPgBouncer,
  useDatabase,
  useForAll,
  useRedis,
  useTenantForEach,
} from '@spooled/testing';
import { type TestGateway, useGateways } from '../gateway.fixture.js';

const database = useDatabase();
const start = useGateways(database, useRedis());
const tenant = useTenantForEach(database);
const embedded = useForAll(
  () => {
    const db = openConnections(database);
    return Promise.resolve({ db, sender: new WakeupSender(db, { onError: () => undefined }) });
  },
  async ({ db, sender }) => {
    await sender.close();
    await db.close();
  },
);

const create = async (gateway: TestGateway, queue_name: string): Promise<string> =>
  (await gateway.request('POST', '/jobs', tenant.key, { queue_name, payload: {} })).body.id;
const claim = (gateway: TestGateway, queue_name: string) =>
  gateway.request('POST', '/jobs/claim', tenant.key, { queue_name, worker_id: 'w1', wait_seconds: 30 });
const hasLogged = (gateway: TestGateway, text: string) =>
  eventually(() => expect(gateway.logs.join('\n')).toContain(text));
const isWaiting = (gateway: TestGateway) =>
  eventually(async () =>
    expect(await gateway.service.metrics.text()).toContain('spooled_live_streams{kind="claim"} 1'),
  );

/** Claims find jobs by wake-ups only. */
const withoutPolls = { WORKER_FALLBACK_POLL_INTERVAL_SECS: '300' };

describe('BX-18 jobs of processes that send no signals through Redis', () => {
  const pooler = useForAll(
    () => startPgBouncer(database),
    (it) => it.stop(),
  );

  it.each([
    ['directly', () => ({})],
    [
      'behind PgBouncer',
      () => ({ DATABASE_URL: pooler.through(database.appUrl), DATABASE_LISTEN_URL: database.appUrl }),
    ],
  ])('wake a waiting claim of a gateway %s by a notification of PostgreSQL', async (_where, urls) => {
    const gateway = await start({ ...withoutPolls, ...urls() });
    const silent = await start({}, '');
    const claimed = claim(gateway, 'mail');
    await hasLogged(gateway, 'wake-ups of embedded processes are received');
    await isWaiting(gateway);
    const id = await create(silent, 'mail');
    embedded.sender.send([{ organizationId: tenant.organizationId, queueName: 'mail' }]);
    expect((await claimed).body).toMatchObject({ jobs: [{ id }] });
  });

  it('do not if PgBouncer is the only address, which the gateway logs; jobs of services do', async () => {
    const gateway = await start({ ...withoutPolls, DATABASE_URL: pooler.through(database.appUrl) });
    const claimed = claim(gateway, 'mail');
    await hasLogged(gateway, 'through a pooler; set DATABASE_LISTEN_URL to PostgreSQL itself');
    await isWaiting(gateway);
    const id = await create(gateway, 'mail');
    expect((await claimed).body).toMatchObject({ jobs: [{ id }] });
  });
});
