import { liveSelection, operationFilter, type OperationFilter } from '@spooled/contracts';
import {
  type JobListFilter,
  listDeadLetterCauses,
  listDeadLetterGroups,
  listJobs,
  readClock,
  repeatableRead,
  previewOfDeadLetters,
  previewOfLiveJobs,
} from '@spooled/data-access';
import { filterWithTerms } from '@spooled/domain';
import { claim, enqueue, newJob } from '@spooled/testing';
import { workerCommands, useEngine } from '../testing/job-lifecycle.fixture.js';
import { OperationsFixture } from './operations.fixture.js';

const fixture = useEngine();
let operations: OperationsFixture;
beforeEach(async () => (operations = new OperationsFixture(fixture, await fixture.organization())));

/** A filter, by the names of the jobs it is made of, and the jobs that it selects. */
type Case<Name extends string> = [
  about: string,
  filter: (ids: Record<Name, string>) => OperationFilter,
  selected: Name[],
];

/** Ids of new jobs by their names; `more` says what each is like. */
async function add<Name extends string>(
  jobs: Record<Name, Parameters<typeof newJob>[0]>,
): Promise<Record<Name, string>> {
  const made = Object.entries(jobs).map(([name, more]) => [name, newJob(more as object)] as const);
  await fixture.run(
    enqueue(
      operations.org,
      made.map(([, job]) => job),
    ),
  );
  return Object.fromEntries(made.map(([name, { id }]) => [name, id])) as Record<Name, string>;
}

const moveBack = (table: string, column: string, id: string, idColumn = 'job_id') =>
  fixture.sql(`UPDATE ${table} SET ${column} = '2020-01-01' WHERE ${idColumn} = $1`, [id]);
/** Written again, because counters follow what is written and deleted. */
async function diedInTheYear2020(id: string): Promise<void> {
  const [deleted] = await fixture.sql<{ row: object }>(
    'DELETE FROM dead_letters WHERE job_id = $1 RETURNING to_json(dead_letters) AS row',
    [id],
  );
  await fixture.sql(
    `INSERT INTO dead_letters SELECT (json_populate_record(d, '{"dead_at":"2020-01-01"}')).*
     FROM json_populate_record(NULL::dead_letters, $1) AS d`,
    [JSON.stringify(deleted!.row)],
  );
}

describe('a filter of dead letters', () => {
  it('compares the terms of a search with dead letters only, not with all jobs of the organization', async () => {
    const filter = JSON.stringify(filterWithTerms({ search: 'payload.order=4711' }, new Date(0).toISOString()));
    // Costs as with many jobs: each look at one seems to read many.
    await fixture.sql('SET enable_indexscan = off');
    await fixture.sql('SET enable_bitmapscan = off');
    const plan = await fixture.sql<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT count(*) FROM matching_dead_letters_v1('${operations.org}', '{}', '${filter}', now())`,
    );
    await fixture.sql('RESET enable_indexscan');
    await fixture.sql('RESET enable_bitmapscan');
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).toMatch(/ EXISTS\(SubPlan \d+\)/);
    expect(text).not.toContain('hashed SubPlan');
  });

  const errors = {
    unknown: 'Mailbox 17 unknown',
    again: 'Mailbox 4711 unknown',
    typed: 'smtp says 100% no',
    other: 'mailbox 3 is full',
    old: 'smtp says no',
  };
  type Name = keyof typeof errors;

  const groupOf = (queue: string, type: string, name: Name) =>
    `SELECT dead_letter_group_v1('${queue}', '${type}', '${errors[name]}') AS id`;

  async function addDeadLetters(): Promise<Record<Name, string>> {
    const ids = await add({
      unknown: { queueName: 'mail', tags: '{"vip": true}', idempotencyKey: 'k-1' },
      again: { queueName: 'mail', payload: '{"order": 4711}' },
      typed: { queueName: 'mail', jobType: 'Mailbox check' },
      other: { queueName: 'bills' },
      old: { queueName: 'bills' },
    });
    const { fail, proof } = workerCommands(operations.org);
    for (const queueName of ['mail', 'bills']) {
      const { jobs } = await fixture.run(claim(operations.org, { queueName, limit: 10 }));
      for (const job of jobs) {
        const error = errors[Object.keys(errors).find((name) => ids[name as Name] === job.id) as Name];
        await fixture.run({ ...fail(job, false), body: { ...proof(job), error, retry: false } });
      }
    }
    await diedInTheYear2020(ids.old);
    return ids;
  }

  const cases: Case<Name>[] = [
    ['nothing', () => ({}), ['unknown', 'again', 'typed', 'other', 'old']],
    ['job_ids', ({ again, other }) => ({ job_ids: [again, other] }), ['again', 'other']],
    ['no job_ids', () => ({ job_ids: [] }), []],
    ['queue_name', () => ({ queue_name: 'bills' }), ['other', 'old']],
    ['job_type', () => ({ job_type: 'Mailbox check' }), ['typed']],
    ['no job_type', () => ({ job_type: '' }), ['unknown', 'again', 'other', 'old']],
    ['cause in any case, also in the type', () => ({ cause: 'mAILBOX' }), ['unknown', 'again', 'typed', 'other']],
    ['cause as it is shown', () => ({ cause: 'mailbox # unknown' }), ['unknown', 'again']],
    ['cause, literally', () => ({ cause: '#% no' }), ['typed']],
    ['cause that nothing has', () => ({ cause: 'mailbox%' }), []],
    ['dead_after', () => ({ dead_after: '2020-01-02T00:00:00Z' }), ['unknown', 'again', 'typed', 'other']],
    [
      'dead_after is inclusive',
      () => ({ dead_after: '2020-01-01T00:00:00Z' }),
      ['unknown', 'again', 'typed', 'other', 'old'],
    ],
    ['dead_before', () => ({ dead_before: '2020-01-02T00:00:00Z' }), ['old']],
    ['dead_before is exclusive', () => ({ dead_before: '2020-01-01T00:00:00Z' }), []],
    ['search, by error', () => ({ search: 'error~"mailbox 17"' }), ['unknown']],
    ['search, by payload', () => ({ search: 'payload.order=4711 status:deadletter,pending' }), ['again']],
    ['search, by tag and queue', () => ({ search: 'tag:vip=true queue:mail,bills' }), ['unknown']],
    ['search, by words', () => ({ search: 'ILL b' }), ['other', 'old']],
    ['search, by type', () => ({ search: 'type:"Mailbox check",none' }), ['typed']],
    ['search, by key', () => ({ search: 'key:k-1,none' }), ['unknown']],
    ['search within a cause', () => ({ search: 'payload.order=4711', cause: 'mailbox # is full' }), []],
    ['several members', () => ({ cause: 'mailbox', queue_name: 'bills', job_type: '' }), ['other']],
  ];

  it.each(cases)(
    'BX-06 BX-15 by %s: what is shown is what is counted is what is done',
    async (_, filterOf, selected) => {
      const ids = await addDeadLetters();
      await expectSameEverywhere(ids, filterOf(ids), selected);
    },
  );

  it.each<[age: string, selected: Name[]]>([
    ['<1h', ['unknown', 'again', 'typed', 'old']],
    ['>1h', ['other']],
  ])('BX-06 BX-15 by an age of %s: what is shown is what is counted is what is done', async (age, selected) => {
    const ids = await addDeadLetters();
    for (const [table, id] of Object.entries({ dead_letters: 'job_id', jobs: 'id' }))
      await fixture.sql(`UPDATE ${table} SET created_at = created_at - interval '2 hours' WHERE ${id} = $1`, [
        ids.other,
      ]);
    await expectSameEverywhere(ids, { search: `created:${age}` }, selected);
  });

  it('BX-06 BX-15 by group_id: what is shown is what is counted is what is done', async () => {
    const ids = await addDeadLetters();
    const [group] = await fixture.sql<{ id: string }>(groupOf('mail', '', 'unknown'));
    await expectSameEverywhere(ids, { group_id: group!.id }, ['unknown', 'again']);
  });

  it('BX-06 BX-15 by cause_id, over queues and types: what is shown is what is counted is what is done', async () => {
    const ids = { ...(await addDeadLetters()), ...(await add({ elsewhere: { queueName: 'bills', jobType: 'late' } })) };
    const { jobs } = await fixture.run(claim(operations.org, { queueName: 'bills', limit: 1 }));
    const { fail, proof } = workerCommands(operations.org);
    const error = 'Mailbox 5 unknown';
    await fixture.run({ ...fail(jobs[0]!, false), body: { ...proof(jobs[0]!), error, retry: false } });
    const [cause] = await fixture.sql<{ id: string }>(`SELECT dead_letter_cause_v1('${errors.unknown}') AS id`);
    await expectSameEverywhere(ids, { cause_id: cause!.id }, ['unknown', 'again', 'elsewhere']);
  });

  it('BX-15 within the queues of a key: what is shown is what is counted is what is done', async () => {
    const ids = await addDeadLetters();
    await expectSameEverywhere(ids, {}, ['unknown', 'again', 'typed'], ['mail', 'other']);
  });

  it('BX-15 leaves the jobs of a deleted queue out, and not those that came later', async () => {
    const ids = await addDeadLetters();
    await fixture.sql(
      `INSERT INTO queue_deletions (organization_id, queue_name, deleted_until)
       SELECT $1, name, created_at FROM unnest('{bills,other}'::text[]) AS name, dead_letters WHERE job_id = $2`,
      [operations.org, ids.other],
    );
    await fixture.sql(`UPDATE dead_letters SET created_at = created_at + interval '1 s' WHERE job_id = $1`, [ids.old]);
    await expectSameEverywhere(ids, {}, ['unknown', 'again', 'typed', 'old']);
  });

  it('BX-06 says when the first and the last of a group died, of those that a filter or a deletion of the queue leaves', async () => {
    const { unknown, again } = await addDeadLetters();
    for (const [id, day] of [
      [unknown, 1],
      [again, 3],
    ])
      await fixture.sql('UPDATE dead_letters SET dead_at = $2 WHERE job_id = $1', [id, `2026-01-0${day}T00:00:00Z`]);
    const seen = async (filter: OperationFilter) => {
      const page = { scope: [], filter, orderBy: 'count' as const, after: null, limit: 10, offset: 0 };
      const groups = await fixture.db.withTenant(operations.org, (tx) => listDeadLetterGroups(tx, page));
      const { first_seen, last_seen } = groups.find(({ sample_id }) => sample_id === again)!;
      return [first_seen, last_seen].map((time) => Number(time.slice(8, 10)));
    };
    expect(await seen({})).toEqual([1, 3]);
    expect(await seen({ dead_after: '2026-01-01T00:00:00Z' })).toEqual([1, 3]);
    expect(await seen({ dead_after: '2026-01-02T00:00:00Z' })).toEqual([3, 3]);
    await fixture.sql(
      `INSERT INTO queue_deletions (organization_id, queue_name, deleted_until) VALUES ($1, 'mail', '2026-01-01')`,
      [operations.org],
    );
    expect(await seen({})).toEqual([1, 3]);
  });

  it('BX-15 leaves those alone that died after the operation began', async () => {
    const ids = await addDeadLetters();
    const operation = await operations.create('deadletter.purge', { filter: {} });
    await fixture.sql(`UPDATE dead_letters SET dead_at = current_ts() + interval '1 s' WHERE job_id = $1`, [ids.other]);
    expect((await operations.finish(operation)).processed).toBe(4);
    const left = await fixture.sql('SELECT job_id FROM dead_letters WHERE organization_id = $1', [operations.org]);
    expect(left).toEqual([{ job_id: ids.other }]);
  });

  async function expectSameEverywhere<More extends string = never>(
    ids: Record<Name | More, string>,
    filter: OperationFilter,
    selected: (Name | More)[],
    scope: string[] = [],
  ) {
    const find = { scope, filter: filterWithTerms(filter, await fixture.db.withTenant(operations.org, readClock)) };
    const page = { ...find, orderBy: 'count' as const, after: null, limit: 10, offset: 0 };
    const [groups, causes, preview] = await fixture.db.withTenant(operations.org, (tx) =>
      Promise.all([
        listDeadLetterGroups(tx, page),
        listDeadLetterCauses(tx, { ...find, orderBy: 'count' }),
        previewOfDeadLetters(tx, { ...find, until: 'infinity', sampled: 10 }),
      ]),
    );
    expect(causes.causes.reduce((sum, { count }) => sum + count, 0)).toBe(selected.length);
    expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(selected.length);
    expect(groups.flatMap(({ per_hour }) => per_hour).reduce((sum, n) => sum + n, 0)).toBe(
      selected.filter((name) => name !== 'old').length,
    );
    expect(preview.count).toBe(selected.length);
    expect(preview.sample.map(({ id }) => id).sort()).toEqual(selected.map((name) => ids[name]).sort());
    const { processed } = await operations.finish(
      await operations.create('deadletter.purge', { filter, queues: scope }),
    );
    const left = await fixture.sql<{ id: string }>('SELECT job_id AS id FROM dead_letters WHERE organization_id = $1', [
      operations.org,
    ]);
    const names = (Object.keys(ids) as Name[]).filter((name) => !left.some(({ id }) => id === ids[name]));
    expect([processed, names.sort()]).toEqual([selected.length, [...selected].sort()]);
  }

  it('BX-06 never selects those of another organization', async () => {
    await addDeadLetters();
    const otherOrganization = await fixture.organization();
    const find = { scope: [], filter: { cause: 'mailbox' } };
    const seen = await fixture.db.withTenant(otherOrganization, async (tx) => [
      await listDeadLetterGroups(tx, { ...find, orderBy: 'count', after: null, limit: 10, offset: 0 }),
      (await previewOfDeadLetters(tx, { ...find, until: 'infinity', sampled: 1 })).count,
    ]);
    expect(seen).toEqual([[], 0]);
  });

  it('has a case for each member', () => {
    const ids = { unknown: '', again: '', typed: '', other: '', old: '' };
    const covered = [...cases, ...liveCases].flatMap(([, filterOf]) => Object.keys(filterOf(ids as never)));
    // Those of deliveries have cases in resend-deliveries.spec.ts, that of batches in batches.spec.ts.
    expect(new Set([...covered, 'group_id', 'cause_id', 'webhook_id', 'event', 'batch_id'])).toEqual(
      new Set(Object.keys(operationFilter.shape)),
    );
  });
});

type LiveName = 'plain' | 'typed' | 'tagged' | 'later' | 'old' | 'leased' | 'elsewhere';
const liveCases: Case<LiveName>[] = [
  ['queue_name', () => ({ queue_name: 'mail' }), ['plain', 'typed', 'tagged', 'later', 'old']],
  ['status', () => ({ queue_name: 'mail', status: 'scheduled' }), ['later']],
  ['the other status', () => ({ queue_name: 'mail', status: 'pending' }), ['plain', 'typed', 'tagged', 'old']],
  ['q, part of the type', () => ({ queue_name: 'mail', q: 'ELCO' }), ['typed']],
  ['search, of what lists have filters for', () => ({ queue_name: 'mail', search: 'queue:mail created:>1d' }), ['old']],
  ['search, of another queue', () => ({ queue_name: 'mail', search: 'queue:mailings' }), []],
  ['search, by status', () => ({ queue_name: 'mail', search: 'status:scheduled,processing' }), ['later']],
  ['search, by a word', () => ({ queue_name: 'mail', search: 'ELCO' }), ['typed']],
  ['search, by tag and type', () => ({ queue_name: 'mail', search: 'tag:"a b"=1' }), ['tagged']],
  ['search, by payload', () => ({ queue_name: 'mail', search: 'payload.order=4711 type:Welcome' }), ['typed']],
  ['q, literally', () => ({ queue_name: 'mail', q: 'w%e' }), []],
  ['q, start of the id', ({ plain }) => ({ queue_name: 'mail', q: plain }), ['plain']],
  ['job_type', () => ({ queue_name: 'mail', job_type: 'Welcome' }), ['typed']],
  ['tag', () => ({ queue_name: 'mail', tag: 'a b' }), ['tagged']],
  [
    'created_after',
    () => ({ queue_name: 'mail', created_after: '2020-01-02T00:00:00Z' }),
    ['plain', 'typed', 'tagged', 'later'],
  ],
  ['created_before', () => ({ queue_name: 'mail', created_before: '2020-01-02T00:00:00Z' }), ['old']],
  [
    'several members',
    () => ({ queue_name: 'mail', status: 'pending', created_after: '2021-01-01T00:00:00Z', q: 'wel' }),
    ['typed'],
  ],
];

describe('a filter of live jobs', () => {
  it.each(liveCases)('BX-15 by %s: what is shown is what is counted is what is done', async (_, filterOf, selected) => {
    const leased = await add({ leased: { queueName: 'mail', priority: 100 } });
    await fixture.run(claim(operations.org, { queueName: 'mail', limit: 1 }));
    const ids = {
      ...leased,
      ...(await add({
        plain: { queueName: 'mail' },
        typed: { queueName: 'mail', jobType: 'Welcome', payload: '{"order":4711}' },
        tagged: { queueName: 'mail', tags: '{"a b": 1}' },
        later: { queueName: 'mail', scheduledAt: '2100-01-01T00:00:00Z' },
        old: { queueName: 'mail' },
        elsewhere: { queueName: 'mailings', jobType: 'Welcome', tags: '{"a b": 1}' },
      })),
    };
    await moveBack('job_queue', 'created_at', ids.old);
    await moveBack('jobs', 'created_at', ids.old, 'id');
    const filter = filterOf(ids);
    const now = await fixture.db.withTenant(operations.org, readClock);
    const period = filterWithTerms(filter, now);
    const list: JobListFilter = {
      queues: [filter.queue_name!],
      statuses: filter.status ? [filter.status] : ['pending', 'scheduled'],
      tag: filter.tag ?? null,
      jobType: filter.job_type ?? null,
      text: filter.q ?? null,
      createdAfter: period.created_after,
      createdBefore: period.created_before,
      terms: period.terms,
      ...{
        limit: 10,
        offset: 0,
        orderBy: 'created_at',
        direction: 'desc',
        after: null,
        afterSorted: null,
      },
    };
    const find = { scope: [], filter: liveSelection({ kind: 'job.cancel', filter, settings: {} }, now), sampled: 10 };
    const shown = await fixture.db.withTenant(operations.org, (tx) => listJobs(tx, list), repeatableRead);
    const preview = await fixture.db.withTenant(operations.org, (tx) => previewOfLiveJobs(tx, find));
    const expected = selected.map((name) => ids[name]).sort();
    expect(shown.rows.map(({ id }) => id).sort()).toEqual(expected);
    expect([preview.count, preview.sample.map(({ id }) => id).sort()]).toEqual([selected.length, expected]);
    const { processed } = await operations.finish(await operations.create('job.cancel', { filter }));
    const names = Object.keys(ids) as LiveName[];
    const statuses = await operations.statuses(names.map((name) => ids[name]));
    const done = names.filter((_name, i) => statuses[i] === 'cancelled');
    expect([processed, done.sort()]).toEqual([selected.length, [...selected].sort()]);
  });

  /** What an operation on this filter cancels of these jobs. */
  async function cancelled<Name extends string>(ids: Record<Name, string>, filter: OperationFilter): Promise<Name[]> {
    const preview = await fixture.db.withTenant(operations.org, (tx) =>
      previewOfLiveJobs(tx, { scope: [], filter, sampled: 10 }),
    );
    const { processed } = await operations.finish(await operations.create('job.cancel', { filter }));
    const names = Object.keys(ids) as Name[];
    const statuses = await operations.statuses(names.map((name) => ids[name]));
    const done = names.filter((_name, i) => statuses[i] === 'cancelled');
    expect([preview.count, processed]).toEqual([done.length, done.length]);
    return done.sort();
  }

  const states = async (ids: string[], values: string) =>
    fixture.sql(`UPDATE job_queue SET ${values} WHERE job_id = ANY ($1)`, [ids]);

  /** Jobs of two queues in each state: what a filter by a queue takes, and what it leaves. */
  async function addInEachState() {
    const mail = { queueName: 'mail' };
    const other = { queueName: 'mailings' };
    const ids = await add({
      ready: mail,
      scheduled: mail,
      retrying: mail,
      blocked: mail,
      blockedLater: mail,
      held: mail,
      heldBlocked: mail,
      otherReady: other,
      otherScheduled: other,
      otherBlocked: other,
    });
    const future = `due_at = '2100-01-01'`;
    await states([ids.scheduled, ids.blockedLater, ids.otherScheduled], `state = 'scheduled', ${future}`);
    await states([ids.retrying], `state = 'retrying', ${future}`);
    await states([ids.held, ids.heldBlocked], `state = 'leased', lease_expires_at = '2100-01-01'`);
    await states([ids.blocked, ids.blockedLater, ids.heldBlocked, ids.otherBlocked], 'dependencies_met = false');
    return ids;
  }

  it('BX-15 takes the jobs of a queue that wait for anything, and none that a worker holds', async () => {
    const ids = await addInEachState();
    expect(await cancelled(ids, { queue_name: 'mail' })).toEqual([
      'blocked',
      'blockedLater',
      'ready',
      'retrying',
      'scheduled',
    ]);
  });

  it('BX-15 takes only those of a queue that wait for their time, where that is the status', async () => {
    const ids = await addInEachState();
    expect(await cancelled(ids, { queue_name: 'mail', status: 'scheduled' })).toEqual(['blockedLater', 'scheduled']);
  });

  it('BX-15 takes only those of a list that wait, and only in the queue that is named beside it', async () => {
    const ids = await addInEachState();
    const job_ids = [ids.retrying, ids.blockedLater, ids.held, ids.heldBlocked, ids.otherBlocked];
    expect(await cancelled(ids, { queue_name: 'mail', job_ids })).toEqual(['blockedLater', 'retrying']);
  });

  it('BX-15 takes those of a list in all queues, where none is named', async () => {
    const ids = await addInEachState();
    expect(await cancelled(ids, { job_ids: [ids.held, ids.blocked, ids.otherReady] })).toEqual([
      'blocked',
      'otherReady',
    ]);
  });

  it('BX-15 leaves those alone that were created after the operation, and takes those of the same moment', async () => {
    const ids = await add({ before: { queueName: 'mail' }, same: { queueName: 'mail' }, after: { queueName: 'mail' } });
    const operation = await operations.create('job.cancel', { filter: { queue_name: 'mail' } });
    const setCreated = (id: string, offset: string) =>
      fixture.sql(
        `UPDATE job_queue SET created_at = o.created_at + $3::interval FROM operations o WHERE o.id = $1 AND job_id = $2`,
        [operation, id, offset],
      );
    await setCreated(ids.same, '0');
    await setCreated(ids.after, '1 ms');
    await operations.finish(operation);
    expect(await operations.statuses([ids.before, ids.same, ids.after])).toEqual(['cancelled', 'cancelled', 'pending']);
  });

  it('BX-15 bounds the time of creation, with its beginning and without its end', async () => {
    const ids = await add({ before: { queueName: 'mail' }, first: { queueName: 'mail' }, last: { queueName: 'mail' } });
    for (const [i, id] of [ids.before, ids.first, ids.last].entries())
      await states([id], `created_at = '2020-01-0${i + 1}T00:00:00Z'`);
    const bounds = { created_after: '2020-01-02T00:00:00Z', created_before: '2020-01-03T00:00:00Z' };
    expect(await cancelled(ids, { queue_name: 'mail', ...bounds })).toEqual(['first']);
  });

  it('BX-15 leaves the jobs of a deleted queue out, and not those that came later', async () => {
    const ids = await add({ hidden: { queueName: 'mail' }, later: { queueName: 'mail' } });
    await fixture.sql(
      `INSERT INTO queue_deletions (organization_id, queue_name, deleted_until)
       SELECT $1, 'mail', created_at FROM job_queue WHERE job_id = $2`,
      [operations.org, ids.hidden],
    );
    await fixture.sql(
      `INSERT INTO queue_deletions (organization_id, queue_name, deleted_until) VALUES ($1, 'other', '2100-01-01')`,
      [operations.org],
    );
    await states([ids.later], `created_at = created_at + interval '1 ms'`);
    await fixture.sql(`UPDATE jobs SET created_at = created_at + interval '1 ms' WHERE id = $1`, [ids.later]);
    expect(await cancelled({ later: ids.later }, { queue_name: 'mail' })).toEqual(['later']);
    expect(await fixture.sql('SELECT job_id FROM job_queue WHERE organization_id = $1', [operations.org])).toEqual([
      { job_id: ids.hidden },
    ]);
  });
});
