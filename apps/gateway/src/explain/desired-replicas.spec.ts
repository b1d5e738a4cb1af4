import { replicaSchemas } from '@spooled/contracts';
import { useExplain } from './explain.fixture.js';

const fixture = useExplain();

const ask = async (queue: string, query: string) =>
  replicaSchemas.desiredReplicas.parse(await fixture.send('GET', `/queues/${queue}/desired-replicas?${query}`));

const wanted = async (queue: string, query: string) => {
  const { desired_replicas: replicas, reason } = await ask(queue, query);
  return [replicas, reason];
};

/** Claimable jobs that each run for 10 s, as those of the last hour did. */
async function fill(queue: string, jobs: number, settings: object | null = null): Promise<void> {
  if (settings) await fixture.configure(queue, settings);
  for (let n = 0; n < jobs; n++) await fixture.create(queue);
  await fixture.record(queue, { completed: 3, run_ms: 30_000 });
}

describe('the replicas that a queue needs', () => {
  it('are those that run the claimable jobs in time, with the figures that decided', async () => {
    await fill('backlog', 8);
    expect(await ask('backlog', 'concurrency=2&drain_seconds=20')).toEqual({
      queue_name: 'backlog',
      // Eight jobs, two for each of the slots, two slots for each replica.
      desired_replicas: 2,
      reason: 'backlog',
      ready: { count: 8, at_least: false },
      running: { count: 0, at_least: false },
      average_run_ms: 10_000,
      concurrency: 2,
      drain_seconds: 20,
      checked_at: expect.any(String),
    });
    expect(await wanted('backlog', 'concurrency=2&drain_seconds=10')).toEqual([4, 'backlog']);
    // In less time than a job takes, each slot runs one.
    expect(await wanted('backlog', 'concurrency=2&drain_seconds=1')).toEqual([4, 'backlog']);
    // 60 s by default: six jobs for each slot.
    expect(await wanted('backlog', 'concurrency=1')).toEqual([2, 'backlog']);
    expect(await wanted('backlog', '')).toEqual([2, 'backlog']);
  });

  it('are those of the jobs in progress while these are more', async () => {
    await fill('running', 4);
    for (let n = 0; n < 3; n++) await fixture.claim('running');
    expect(await wanted('running', 'concurrency=1')).toEqual([3, 'running']);
    expect(await wanted('running', 'concurrency=2')).toEqual([2, 'running']);
    await fixture.claim('running');
    expect(await wanted('running', 'concurrency=1')).toEqual([4, 'running']);
  });

  it('are none without jobs, and one that begins while no run time is known', async () => {
    await fixture.configure('unknown', {});
    expect(await wanted('unknown', 'concurrency=5')).toEqual([0, 'idle']);
    for (let n = 0; n < 9; n++) await fixture.create('unknown');
    expect(await wanted('unknown', 'concurrency=5')).toEqual([1, 'average_unknown']);
  });

  it('are no more than concurrency and rate of the queue let run', async () => {
    await fill('concurrent', 9, { settings: { concurrency: 4 } });
    expect(await wanted('concurrent', 'concurrency=2&drain_seconds=10')).toEqual([2, 'concurrency_limit']);
    // One job in 5 s at 10 s each: two run at once.
    await fill('rated', 9, { rate_limit: 0.2 });
    expect(await wanted('rated', 'concurrency=1&drain_seconds=10')).toEqual([2, 'rate_limit']);
  });

  it('are those of the jobs in progress while claims get none', async () => {
    await fill('paused', 5);
    await fixture.claim('paused');
    await fixture.send('POST', '/queues/paused/pause', {});
    expect(await wanted('paused', 'concurrency=1&drain_seconds=10')).toEqual([1, 'queue_paused']);
    await fill('pushed', 2, { settings: { callback_url: 'https://example.com/jobs' } });
    expect(await wanted('pushed', 'concurrency=1')).toEqual([0, 'push_queue']);
  });

  it('refuse a query that is misspelt or out of bounds, unknown queues, and queues of others', async () => {
    const { tenant, gateway } = fixture;
    const status = async (path: string, key = tenant.key) => {
      const { status, body } = await gateway.request('GET', path, key);
      return [status, Object.keys((body.details ?? {}) as object)];
    };
    const path = '/queues/backlog/desired-replicas';
    expect(await status(`${path}?concurrency=0`)).toEqual([400, ['concurrency']]);
    expect(await status(`${path}?concurrency=1&drain=9`)).toEqual([400, ['drain']]);
    expect(await status(`${path}?concurrency=1&drain_seconds=86401`)).toEqual([400, ['drain_seconds']]);
    expect(await status('/queues/nobody/desired-replicas?concurrency=1')).toEqual([404, []]);
    expect(await status(`${path}?concurrency=1`, await tenant.keyFor('other'))).toEqual([403, []]);
  });
});
