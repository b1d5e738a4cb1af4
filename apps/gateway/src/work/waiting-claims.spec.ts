import { eventually, useTenant } from '@spooled/testing';
import { Authenticator } from '@spooled/service';
import { useGateway } from '../gateway.fixture.js';
import { WaitingClaims } from './waiting-claims.js';

const { database, gateway } = useGateway();
const tenant = useTenant(database);

const claim = async (disconnected: AbortSignal, queue_name: string) => {
  const principal = await gateway.app.get(Authenticator).ofApiKey(tenant.key);
  const body = { queue_name, worker_id: 'w1', wait_seconds: 30 };
  return gateway.app.get(WaitingClaims).claim({ principal, credential: tenant.key, disconnected }, body);
};
const create = async (queue_name: string): Promise<string> =>
  (await gateway.request('POST', '/jobs', tenant.key, { queue_name, payload: {} })).body.id;

it('BX-02 releases jobs that it has claimed for a caller that has disconnected, using up no attempt', async () => {
  const id = await create('disconnected');
  const disconnect = new AbortController();
  const claiming = claim(disconnect.signal, 'disconnected');
  // By then the credential has been checked and the claim is in flight.
  setImmediate(() => disconnect.abort());
  expect(await claiming).toMatchObject({ jobs: [] });
  await eventually(async () => {
    const { body } = await gateway.request('GET', `/jobs/${id}`, tenant.key);
    expect(body).toMatchObject({ status: 'pending', retry_count: 0, lease_id: null });
  });
});

it('BX-08 finds jobs without Redis, where no wake-ups arrive', async () => {
  const claiming = claim(new AbortController().signal, 'no-wake-up');
  await eventually(async () =>
    expect(await gateway.service.metrics.text()).toContain('spooled_live_streams{kind="claim"} 1'),
  );
  const id = await create('no-wake-up');
  expect((await claiming).jobs.map((job) => job.id)).toEqual([id]);
});
