import { createTenant } from '@spooled/testing';
import { useGateway } from '../gateway.fixture.js';

const { database, gateway } = useGateway();

interface Held {
  id: string;
  lease_id: string;
}

it('BX-10 completions of one event loop turn share a command, and each gets its own outcome', async () => {
  const [one, two] = await Promise.all([createTenant(database.superuserUrl), createTenant(database.superuserUrl)]);
  const claimSome = async (key: string): Promise<Held[]> => {
    const jobs = Array.from({ length: 3 }, () => ({ payload: {} }));
    await gateway.request('POST', '/jobs/bulk', key, { queue_name: 'q', jobs });
    return (await gateway.request('POST', '/jobs/claim', key, { queue_name: 'q', worker_id: 'w', limit: 3 })).body.jobs;
  };
  const [ours, theirs] = await Promise.all([claimSome(one.key), claimSome(two.key)]);
  const [first, second, third] = ours as [Held, Held, Held];
  const complete = (key: string, { id, lease_id }: Held, worker_id = 'w') =>
    gateway.request('POST', `/jobs/${id}/complete`, key, { worker_id, lease_id });
  const responses = await Promise.all([
    complete(one.key, first),
    complete(one.key, { ...third, lease_id: first.lease_id }),
    complete(one.key, theirs[0]!),
    complete(two.key, theirs[1]!),
    complete(one.key, third, 'another-worker'),
    complete(one.key, second),
  ]);
  expect(responses.map(({ status, body }) => [status, body.code])).toEqual([
    [200, undefined],
    [409, 'LEASE_EXPIRED'],
    [404, 'NOT_FOUND'],
    [200, undefined],
    [409, 'LEASE_EXPIRED'],
    [200, undefined],
  ]);
  const text = await gateway.service.metrics.text();
  // Two organizations, so two commands, and each completion is still counted.
  expect(text).toMatch(/^spooled_jobs_completed_total 3$/m);
});
