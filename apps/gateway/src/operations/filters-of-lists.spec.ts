import { useTenantForEach } from '@spooled/testing';
import { useGateway } from '../gateway.fixture.js';

interface Route {
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: { properties: object } }> };
}

const { database, gateway } = useGateway();
const tenant = useTenantForEach(database);

/** Pages and order; `queue` is another name of `queue_name`. */
const notFilters = ['limit', 'offset', 'cursor', 'after', 'order_by', 'order_dir', 'queue'];

const ask = async (method: 'GET' | 'POST', path: string, body?: object) =>
  (await gateway.request(method, path, tenant.key, body)).body;

async function die(queue_name: string, job_type: string, error: string): Promise<void> {
  const { id } = await ask('POST', '/jobs', { queue_name, payload: { job_type }, max_retries: 0 });
  await ask('POST', '/jobs/claim', { queue_name, worker_id: 'w' });
  await ask('POST', `/jobs/${id}/fail`, { worker_id: 'w', error });
}

async function filtersOf(path: string, method: 'get' | 'post'): Promise<string[]> {
  const { paths } = await ask('GET', '/openapi.json');
  const { parameters = [], requestBody } = paths[`/api/v1${path}`][method] as Route;
  const members = requestBody?.content['application/json']!.schema.properties ?? {};
  const names = [...parameters.filter((one) => one.in === 'query').map(({ name }) => name), ...Object.keys(members)];
  return names.filter((name) => !notFilters.includes(name));
}

/** Per filter a value that selects one of two jobs. */
const ofDeadLetters = {
  cause_id: '',
  queue_name: 'mail',
  job_type: 'welcome',
  cause: 'MAILBOX # IS',
  dead_after: '2100-01-01T00:00:00Z',
  dead_before: '2000-01-01T00:00:00Z',
  search: 'error~"mailbox 17" payload.job_type=welcome type:welcome status:deadletter created:<1h',
};
const ofJobs = {
  status: 'pending',
  q: 'WELC',
  search: 'type:welcome tag:vip=true status:pending created:<1h',
  job_type: 'welcome',
  tag: 'vip',
  created_after: '2100-01-01T00:00:00Z',
  created_before: '2000-01-01T00:00:00Z',
};
const expected = (name: string): number => (/_(?:after|before)$/.test(name) ? 0 : 1);

describe('a list and the acts on what it shows', () => {
  it('BX-06 BX-15 of dead letters have the same filters, and find the same number', async () => {
    await die('mail', 'welcome', 'mailbox 17 is full');
    await die('bills', 'invoice', 'timeout');
    const { causes } = await ask('GET', '/jobs/dlq/causes?queue_name=mail');
    const selecting = { ...ofDeadLetters, cause_id: causes[0].id as string };
    expect((await filtersOf('/jobs/dlq/groups', 'get')).sort()).toEqual(Object.keys(ofDeadLetters).sort());
    for (const act of ['replays', 'purges']) {
      expect(await filtersOf(`/jobs/dlq/${act}`, 'post')).toEqual(expect.arrayContaining(Object.keys(ofDeadLetters)));
    }
    for (const [name, value] of Object.entries(selecting)) {
      const groups = await ask('GET', `/jobs/dlq/groups?${new URLSearchParams({ [name]: value })}`);
      const shown = groups.reduce((sum: number, { count }: { count: number }) => sum + count, 0);
      const replay = await ask('POST', '/jobs/dlq/replays', { [name]: value, dry_run: true });
      const purge = await ask('POST', '/jobs/dlq/purges', { [name]: value, dry_run: true, confirm: false });
      const begun = await ask('POST', '/jobs/dlq/purges', { [name]: value, confirm: true, hold_seconds: 600 });
      const counts = [shown, replay.count, purge.count, begun.total];
      expect([name, ...counts, begun.filter]).toEqual([name, ...counts.map(() => expected(name)), { [name]: value }]);
    }
  });

  it('BX-15 of jobs have the same filters, and find the same number', async () => {
    const scheduled_at = '2100-01-01T00:00:00Z';
    const queue_name = 'mail';
    await ask('POST', '/jobs', { queue_name, payload: { job_type: 'welcome' }, tags: { vip: true } });
    await ask('POST', '/jobs', { queue_name, payload: { job_type: 'invoice' }, scheduled_at });
    expect((await filtersOf('/jobs', 'get')).sort()).toEqual([...Object.keys(ofJobs), 'queue_name'].sort());
    for (const act of ['cancellations', 'priority-changes', 'activations']) {
      expect(await filtersOf(`/jobs/${act}`, 'post')).toEqual(expect.arrayContaining(Object.keys(ofJobs)));
    }
    for (const [name, value] of Object.entries(ofJobs)) {
      const shown = await ask('GET', `/jobs?${new URLSearchParams({ queue_name, [name]: value })}`);
      const dryRun = await ask('POST', '/jobs/cancellations', { queue_name, [name]: value, dry_run: true });
      const moved = await ask('POST', '/jobs/priority-changes', {
        queue_name,
        [name]: value,
        priority: 9,
        dry_run: true,
      });
      const begun = await ask('POST', '/jobs/cancellations', { queue_name, [name]: value, hold_seconds: 600 });
      const counts = [shown.length, dryRun.count, moved.count, begun.total];
      const filter = { queue_name, [name]: value };
      expect([name, ...counts, begun.filter]).toEqual([name, ...counts.map(() => expected(name)), filter]);
    }
  });

  it('BX-15 of jobs that wait for a time, and of jobs with another priority, count only those', async () => {
    const queue_name = 'mail';
    for (const more of [{}, { priority: 9 }, { scheduled_at: '2100-01-01T00:00:00Z' }]) {
      await ask('POST', '/jobs', { queue_name, payload: {}, ...more });
    }
    expect(await ask('POST', '/jobs/activations', { queue_name, dry_run: true })).toMatchObject({ count: 1 });
    const moved = await ask('POST', '/jobs/priority-changes', { queue_name, priority: 9, hold_seconds: 600 });
    expect(moved).toMatchObject({ kind: 'job.prioritize', total: 2, options: { priority: 9 }, filter: { queue_name } });
    const refused = await ask('POST', '/jobs/priority-changes', { queue_name });
    expect(refused.details).toHaveProperty('priority');
    const blank = await ask('POST', '/jobs/cancellations', { queue_name, search: '  ', dry_run: true });
    expect(blank.details).toEqual({ search: 'must not be empty' });
    const wide = await ask('POST', '/jobs/dlq/purges', { queue_name, cause: ' ', dry_run: true });
    expect(wide.details).toHaveProperty('cause', 'must not be blank');
    for (const [search, problem] of [
      ['status:processing', '"status:processing": must include pending or scheduled here'],
      ['status:processing,pending', undefined],
    ]) {
      const { details } = await ask('POST', '/jobs/cancellations', { queue_name, search, dry_run: true });
      expect(details?.search).toBe(problem);
    }
  });
});
