import { type CommandOf, formatActor } from '@spooled/contracts';
import { command, enqueue, newJob, unlimited } from '@spooled/testing';
import pg from 'pg';
import { OperationsFixture } from '../operations/operations.fixture.js';
import { useEngine } from '../testing/job-lifecycle.fixture.js';

const fixture = useEngine();
let org: string;
/** Ids by name, in the order of the creation of the jobs. */
let ids: Record<Name, string>;
type Name = 'first' | 'second' | 'third' | 'fourth';
const queues: Record<Name, string> = { first: 'mail', second: 'mail', third: 'bills', fourth: 'mail' };
const names = Object.keys(queues) as Name[];
/** Times of creation, a day each from the second of January; all are dead since the last day of it. */
const created = (name: Name) => `2026-01-0${2 + names.indexOf(name)}T00:00:00Z`;
const died = '2026-01-31T00:00:00Z';

beforeEach(async () => {
  org = await fixture.organization();
  const operations = new OperationsFixture(fixture, org);
  ids = { first: '', second: '', third: '', fourth: '' };
  // Not in the order of their creation, which is what counts.
  for (const name of [...names].reverse()) {
    const [id] = await operations.die(['{}'], { queueName: queues[name] });
    await fixture.sql('UPDATE dead_letters SET created_at = $2, dead_at = $3 WHERE job_id = $1', [
      id,
      created(name),
      died,
    ]);
    await fixture.sql('UPDATE jobs SET created_at = $2 WHERE id = $1', [id, created(name)]);
    ids[name] = id!;
  }
});

const dead = async (): Promise<Name[]> => {
  const rows = await fixture.sql<{ id: string }>('SELECT job_id AS id FROM dead_letters WHERE organization_id = $1', [
    org,
  ]);
  return names.filter((name) => rows.some(({ id }) => id === ids[name]));
};
const others = (gone: Name[]) => names.filter((name) => !gone.includes(name));

type Filter = Partial<{ jobs: Name[]; queueName: string; limit: number }>;
const selections: [about: string, filter: Filter, selected: Name[]][] = [
  ['nothing', {}, names],
  ['ids, one of them twice', { jobs: ['second', 'third', 'second'] }, ['second', 'third']],
  ['no ids', { jobs: [] }, []],
  ['a queue', { queueName: 'mail' }, ['first', 'second', 'fourth']],
  ['ids and a queue', { jobs: ['second', 'third'], queueName: 'mail' }, ['second']],
  ['a limit, the oldest first', { limit: 2 }, ['first', 'second']],
];
const filterOf = ({ jobs, queueName, limit }: Filter) => ({
  jobIds: jobs?.map((name) => ids[name]) ?? null,
  queueName: queueName ?? null,
  limit: limit ?? 9,
});
const hideMail = (until: Name) =>
  fixture.sql('INSERT INTO queue_deletions (organization_id, queue_name, deleted_until) VALUES ($1, $2, $3)', [
    org,
    'mail',
    created(until),
  ]);

describe('a purge at once', () => {
  const purge = (filter: Filter, more: Partial<CommandOf<'deadletter.purge'>['body']> = {}) =>
    fixture.run(command('deadletter.purge', org, { ...filterOf(filter), olderThan: null, issuedAt: null, ...more }));

  it.each(selections)('PB-03 BX-15 by %s deletes those and says how many', async (_, filter, selected) => {
    expect(await purge(filter)).toEqual({ purged: selected.length });
    expect(await dead()).toEqual(others(selected));
  });

  it('PB-03 takes those that were created before a time, without that time', async () => {
    expect(await purge({}, { olderThan: created('second') })).toEqual({ purged: 1 });
    expect(await dead()).toEqual(['second', 'third', 'fourth']);
  });

  it('PB-03 takes those that had died when it was asked for, and not those that died later', async () => {
    await fixture.sql(`UPDATE dead_letters SET dead_at = dead_at + interval '1 ms' WHERE job_id = $1`, [ids.third]);
    expect(await purge({}, { issuedAt: died })).toEqual({ purged: 3 });
    expect(await dead()).toEqual(['third']);
  });

  it('BX-15 leaves out what a deletion of its queue has hidden, as lists do', async () => {
    await hideMail('second');
    expect(await purge({})).toEqual({ purged: 2 });
    expect(await dead()).toEqual(['first', 'second']);
  });

  it('PB-15 does not wait for those that another transaction holds', async () => {
    const holder = new pg.Client({ connectionString: fixture.database.superuserUrl });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM dead_letters WHERE job_id = $1 FOR UPDATE', [ids.first]);
      expect(await purge({})).toEqual({ purged: 3 });
    } finally {
      await holder.end();
    }
    expect(await dead()).toEqual(['first']);
  });

  it('BX-02 remembers for a while which jobs it deleted, so that a late delivery does not create them again', async () => {
    const [recent] = await new OperationsFixture(fixture, org).die(['{}'], { queueName: 'mail' });
    expect(await purge({})).toEqual({ purged: 5 });
    const remembered = await fixture.sql('SELECT job_id AS id FROM deleted_jobs WHERE organization_id = $1', [org]);
    expect(remembered).toEqual([{ id: recent }]);
  });

  it('BX-15 marks what needs one of them as cancelled for good, and nothing else', async () => {
    const [waiting, free] = [newJob(), newJob()];
    await fixture.run(enqueue(org, [waiting, free]));
    const depend = (child: string, parent: Name) =>
      fixture.sql('INSERT INTO job_dependencies (organization_id, job_id, depends_on_job_id) VALUES ($1, $2, $3)', [
        org,
        child,
        ids[parent],
      ]);
    await depend(waiting.id, 'first');
    await depend(ids.second, 'first');
    await depend(free.id, 'third');
    await purge({ jobs: ['first', 'second'] });
    const edges = await fixture.sql(
      'SELECT job_id AS id, cancelled_child AS marked FROM job_dependencies WHERE organization_id = $1 ORDER BY 2',
      [org],
    );
    expect(edges).toEqual([
      { id: free.id, marked: false },
      { id: waiting.id, marked: true },
    ]);
  });

  it('BX-06 leaves those of other organizations', async () => {
    const other = new OperationsFixture(fixture, await fixture.organization());
    const [id] = await other.die(['{}'], { queueName: 'mail' });
    expect(await purge({})).toEqual({ purged: 4 });
    const [jobIds, queueName] = [[id!], null];
    const body = { jobIds, queueName, limit: 9, olderThan: null, issuedAt: null };
    expect(await fixture.run(command('deadletter.purge', org, body))).toEqual({ purged: 0 });
    expect(await other.statuses([id!])).toEqual(['deadletter']);
  });
});

describe('a retry at once', () => {
  const retry = (filter: Filter, more: Partial<CommandOf<'deadletter.retry'>['body']> = {}) =>
    fixture.run(
      command('deadletter.retry', org, { ...filterOf(filter), quota: unlimited, maxWorkflows: null, ...more }),
    );

  it.each(selections)('PB-03 BX-15 by %s returns those and names them', async (_, filter, selected) => {
    expect((await retry(filter)).jobIds).toEqual(selected.map((name) => ids[name]));
    expect(await dead()).toEqual(others(selected));
  });

  it('BX-15 leaves out what a deletion of its queue has hidden, as lists do', async () => {
    await hideMail('second');
    expect((await retry({})).jobIds).toEqual([ids.third, ids.fourth]);
  });

  it('refuses more ids than its limit, and returns none', async () => {
    const problem = { status: 400, message: 'job_ids: more ids (4) than limit (3)' };
    await expect(retry({ jobs: names, limit: 3 })).rejects.toMatchObject(problem);
    expect(await dead()).toEqual(names);
    expect((await retry({ jobs: names, limit: 4 })).jobIds).toHaveLength(4);
  });

  it('SP-49 leaves steps of workflows dead if there are more workflows than the plan allows, and returns the others', async () => {
    await fixture.sql(
      `WITH flow AS (
         INSERT INTO workflows (id, organization_id, name, status, total_jobs) VALUES (uuidv7(), $1, 'flow', 'failed', 1) RETURNING id
       ) INSERT INTO workflow_jobs (organization_id, workflow_id, job_id, key) SELECT $1, id, $2, 'step' FROM flow`,
      [org, ids.second],
    );
    expect(await retry({}, { maxWorkflows: 0 })).toEqual({
      jobIds: [ids.first, ids.third, ids.fourth],
      skippedIds: [ids.second],
    });
    expect(await retry({}, { maxWorkflows: 1 })).toEqual({ jobIds: [ids.second], skippedIds: [] });
  });
});

it('BX-21 acts on dead letters are audited with what they took, by whom and from where, and not if that was nothing', async () => {
  const of = { queueName: 'bills', jobIds: null, limit: 9 };
  const from = { actor: formatActor('key', 'k-1', 'Ops'), origin: { address: '10.1.2.3', userAgent: 'curl' } };
  const retry = () =>
    fixture.run(command('deadletter.retry', org, { ...of, quota: unlimited, maxWorkflows: null }, from));
  const purge = (olderThan: string | null) =>
    fixture.run(command('deadletter.purge', org, { ...of, queueName: 'mail', olderThan, issuedAt: null }));
  for (let i = 0; i < 2; i++) {
    await retry();
    await fixture.expectCleanConnection();
    await purge(created('second'));
  }
  const audited = await fixture.sql(
    `SELECT action, target_id, after, actor, address, user_agent FROM audit_log
     WHERE organization_id = $1 AND target_kind = 'deadletter' ORDER BY at, id`,
    [org],
  );
  expect(audited).toEqual([
    {
      ...{ action: 'deadletter.retried', target_id: null },
      after: { queue_name: 'bills', jobs: 1, job_ids: [ids.third] },
      ...{ actor: from.actor, address: '10.1.2.3', user_agent: 'curl' },
    },
    {
      ...{ action: 'deadletter.purged', target_id: null },
      after: { queue_name: 'mail', older_than: created('second'), jobs: 1 },
      ...{ actor: null, address: null, user_agent: null },
    },
  ]);
});
