import { useSuperuser, useTenantForEach } from '@spooled/testing';
import { useGateway } from '../gateway.fixture.js';

const { database, gateway } = useGateway();
const tenant = useTenantForEach(database);
const superuser = useSuperuser(database);

async function send(method: 'GET' | 'POST', path: string, body?: unknown, key = tenant.key) {
  const answer = await gateway.request(method, path, key, body);
  expect([answer.status < 300, answer.status < 300 || answer.body]).toEqual([true, true]);
  return answer.body;
}

it('BX-03 a job shows up to 1000 dependents, and how many are left out', async () => {
  const { id } = await send('POST', '/jobs', { queue_name: 'mail', payload: {} });
  const dependents = async (queue_name: string, batches: number) => {
    for (let i = 0; i < batches; i++) {
      await send('POST', '/jobs/bulk', { queue_name, jobs: Array(100).fill({ payload: {} }) });
    }
    await superuser.query(
      `INSERT INTO job_dependencies (organization_id, job_id, depends_on_job_id)
       SELECT organization_id, id, $1 FROM jobs WHERE organization_id = $2 AND id <> $1 AND queue_name = $3`,
      [id, tenant.organizationId, queue_name],
    );
  };
  await dependents('sms', 1);
  const few = await send('GET', `/jobs/${id}/dependencies`);
  expect(few.dependents).toHaveLength(100);
  expect(few.omitted).toEqual({ dependencies: 0, dependents: 0 });
  await dependents('other', 11);
  const many = await send('GET', `/jobs/${id}/dependencies`);
  expect(many.dependents).toHaveLength(1_000);
  expect(many.omitted).toEqual({ dependencies: 0, dependents: 200 });
  // Jobs outside the key's scope neither count nor take room.
  const scoped = await send('GET', `/jobs/${id}/dependencies`, undefined, await tenant.keyFor('mail', 'other'));
  expect(scoped.dependents).toHaveLength(1_000);
  expect(scoped.omitted).toEqual({ dependencies: 0, dependents: 100 });
});

it('BX-03 a workflow shows up to 10,000 dependencies, those between its jobs first', async () => {
  const jobs = [
    { key: 'a', queue_name: 'mail', payload: {} },
    { key: 'b', queue_name: 'mail', payload: {}, depends_on: ['a'] },
  ];
  const { workflow_id: id, job_ids } = await send('POST', '/workflows', { name: 'w', jobs });
  const [a, b] = job_ids.map(({ job_id }: { job_id: string }) => job_id) as [string, string];
  const addOthers = (count: number) =>
    superuser.query(
      // Ids before those of the workflow.
      `INSERT INTO job_dependencies (organization_id, job_id, depends_on_job_id)
       SELECT $1, $2, uuidv7(interval '-1 day') FROM generate_series(1, $3)`,
      [tenant.organizationId, b, count],
    );
  const inside = { parent_job_id: a, child_job_id: b, dependency_type: 'success' };
  await addOthers(9_999);
  const full = await send('GET', `/workflows/${id}`);
  expect([full.dependencies.length, 'dependencies_omitted' in full]).toEqual([10_000, false]);
  expect(full.dependencies).toContainEqual(inside);
  await addOthers(1);
  const cut = await send('GET', `/workflows/${id}`);
  expect([cut.dependencies.length, cut.dependencies_omitted]).toEqual([10_000, true]);
  expect(cut.dependencies).toContainEqual(inside);
});
