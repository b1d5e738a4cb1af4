import { createTenant, createTestDatabase, eventually, type TestDatabase, type TestTenant } from '@spooled/testing';
import { Authenticator } from '../auth/authenticator.js';
import { startGateway, type TestGateway } from '../gateway.fixture.js';
import { WaitingClaims } from './waiting-claims.js';

let database: TestDatabase;
let tenant: TestTenant;
let gateway: TestGateway;

beforeAll(async () => {
  database = await createTestDatabase();
  tenant = await createTenant(database.superuserUrl);
  gateway = await startGateway(database);
});
afterAll(async () => {
  await gateway?.stop();
  await database?.drop();
});

const claimOver = async (disconnected: AbortSignal, queue_name: string) => {
  const principal = await gateway.app.get(Authenticator).ofApiKey(tenant.key);
  const body = { queue_name, worker_id: 'w1', wait_seconds: 30 };
  return gateway.app.get(WaitingClaims).claim({ principal, credential: tenant.key, disconnected }, body);
};
const create = async (queue_name: string): Promise<string> =>
  (await gateway.ask('POST', '/jobs', tenant.key, { queue_name, payload: {} })).body.id;

it('BX-02 gives back at no cost what it has taken for a caller that hung up meanwhile', async () => {
  const id = await create('hung-up');
  const hangUp = new AbortController();
  const claiming = claimOver(hangUp.signal, 'hung-up');
  // The look at the credential is over by then, the claim is under way.
  setImmediate(() => hangUp.abort());
  expect(await claiming).toMatchObject({ jobs: [] });
  await eventually(async () => {
    const { body } = await gateway.ask('GET', `/jobs/${id}`, tenant.key);
    expect(body).toMatchObject({ status: 'pending', retry_count: 0, lease_id: null });
  });
});

it('BX-08 finds work without Redis, which nobody announces then', async () => {
  const claiming = claimOver(new AbortController().signal, 'unannounced');
  await eventually(async () =>
    expect(await gateway.service.metrics.text()).toContain('spooled_live_streams{kind="claim"} 1'),
  );
  const id = await create('unannounced');
  expect((await claiming).jobs.map((job) => job.id)).toEqual([id]);
});
