import { createTenant, eventually, moveClock, useSuperuser } from '@spooled/testing';
import { type TestScheduler, useIdleScheduler, useSchedulers } from '../scheduler.fixture.js';
import { CauseReportsTask } from './cause-reports.task.js';

const { database, schedulers } = useSchedulers();
const superuser = useSuperuser(database);
const env = { EXTERNAL_URL: 'https://jobs.example/' };
const idle = useIdleScheduler(database, { env });

const sql = async (text: string, parameters: unknown[] = []) => (await superuser.query(text, parameters)).rows;
const all = ['cause.appeared', 'cause.grew', 'cause.omitted'];

/** An organization with a webhook for these events. */
async function subscriber(events = all): Promise<string> {
  const org = (await createTenant(database.superuserUrl)).organizationId;
  await sql(
    `INSERT INTO outgoing_webhooks (organization_id, name, url, events, created_at)
     VALUES ($1, 'causes', 'http://localhost:9/hook', $2, current_ts() - interval '1 minute')`,
    [org, events],
  );
  return org;
}

interface Deaths {
  queue?: string;
  /** `$` is replaced by letters that differ between dead letters. */
  error?: string;
  count?: number;
  secondsAgo?: number;
}

/** Dead letters as a batch that fails leaves them. */
async function die(org: string, { queue = 'mail', error = 'HTTP 500', count = 1, secondsAgo = 0 }: Deaths = {}) {
  await sql(
    `WITH dead AS (
       INSERT INTO jobs (id, organization_id, created_at, updated_at, outcome, timeout_seconds, priority, max_retries, queue_name,
         job_type, last_error, payload)
       SELECT uuidv7(), $1, current_ts(), current_ts(), 'deadletter', 300, 0, 0, $2, 'welcome',
         replace($3, '$', translate(i::text, '0123456789', 'ghijklmnop')), '{}'
       FROM generate_series(1, $4::integer) AS i RETURNING *)
     INSERT INTO dead_letters (job_id, organization_id, queue_name, created_at, dead_at, job_type, group_id)
     SELECT id, organization_id, queue_name, created_at, current_ts() - make_interval(secs => $5), job_type,
       dead_letter_group_v1(queue_name, job_type, last_error) FROM dead`,
    [org, queue, error, count, secondsAgo],
  );
}
const setRule = (org: string, queue: string, settings: object) =>
  sql(`INSERT INTO queue_config (organization_id, queue_name, settings) VALUES ($1, $2, $3)`, [org, queue, settings]);

/** One look of one scheduler, when what has happened may be looked at. */
async function look({ app }: Pick<TestScheduler, 'app'> = idle): Promise<void> {
  await moveClock(database, '30 seconds');
  await app.get(CauseReportsTask).run();
}
/** What webhooks were sent, the oldest first. */
const reports = async (org: string): Promise<[event: string, data: Record<string, unknown>][]> =>
  (
    await sql('SELECT event, payload FROM webhook_deliveries WHERE organization_id = $1 ORDER BY created_at, id', [org])
  ).map(({ event, payload }) => [event as string, payload as Record<string, unknown>]);
const told = async (org: string) =>
  (await reports(org)).map(([event, { error, causes }]) => [event, (error ?? causes) as unknown]);
const mute = (org: string, error: string) =>
  sql(
    `INSERT INTO cause_mutes (organization_id, cause_id, error, reason, expires_at)
     VALUES ($1, dead_letter_cause_v1($2), $2, 'known', current_ts() + interval '1 hour')`,
    [org, error],
  );

describe('BX-06 a cause of failures', () => {
  it('is reported once when it appears, with a sample, a link and the replay that would mend it', async () => {
    const org = await subscriber();
    await die(org, { error: 'user 17 unknown', count: 2 });
    await die(org, { error: 'user 18 unknown', queue: 'bills' });
    await look();
    const [{ cause }] = await sql(`SELECT dead_letter_cause_v1('user 1 unknown') AS cause`);
    const data = {
      cause_id: cause,
      queue_name: 'mail',
      job_type: 'welcome',
      error: 'user # unknown',
      sample: { job_id: expect.any(String), error: 'user 17 unknown' },
      dead_letters_last_hour: 3,
      dead_letters_hour_before: 0,
      since: expect.any(String),
      console_url: `https://jobs.example/console/failures?cause=${cause as string}`,
      replay: { method: 'POST', path: '/api/v1/jobs/dlq/replays', body: { cause_id: cause, stages: [1, 10, 100] } },
    };
    expect(await reports(org)).toEqual([['cause.appeared', data]]);
    await die(org, { error: 'user 19 unknown' });
    await look();
    await die(org, { error: 'user 20 unknown', queue: 'new' });
    await look(await schedulers.start({ idle: true, env }));
    expect(await reports(org)).toHaveLength(1);
  });

  it('is reported by one of two schedulers, and its webhook is called', async () => {
    const org = await subscriber();
    await die(org);
    await moveClock(database, '30 seconds');
    const often = { TASK_CAUSE_REPORTS_INTERVAL_MS: '100' };
    await Promise.all([1, 2].map(() => schedulers.start({ env: often })));
    await eventually(async () => expect(await told(org)).toEqual([['cause.appeared', 'HTTP 500']]));
    await Promise.all(schedulers.running.map(({ app }) => app.get(CauseReportsTask).run()));
    expect(await reports(org)).toHaveLength(1);
  });

  it('that webhooks do not ask for, that is muted, or older than the webhook, is not reported', async () => {
    const other = await subscriber(['job.deadlettered']);
    await die(other);
    const org = await subscriber();
    await mute(org, 'HTTP 500');
    await die(org);
    await die(org, { error: 'HTTP 404', secondsAgo: 300 });
    await look();
    await die(org, { error: 'HTTP 404' });
    await look();
    expect([await reports(other), await reports(org)]).toEqual([[], []]);
    await sql('DELETE FROM cause_mutes WHERE organization_id = $1', [org]);
    await die(org);
    await look();
    expect(await told(org)).toEqual([['cause.appeared', 'HTTP 500']]);
  });

  it('is reported by the rule of its queue', async () => {
    const org = await subscriber();
    await setRule(org, 'many', { cause_report_jobs: 3, cause_report_minutes: 5 });
    await setRule(org, 'off', { cause_report_jobs: 0 });
    await die(org, { queue: 'off', count: 9 });
    await die(org, { queue: 'many', error: 'HTTP 404', count: 2 });
    await look();
    await moveClock(database, '5 minutes');
    await die(org, { queue: 'many', error: 'HTTP 404' });
    await look();
    expect(await reports(org)).toEqual([]);
    await die(org, { queue: 'many', error: 'HTTP 404', count: 2 });
    await look();
    expect(await told(org)).toEqual([['cause.appeared', 'HTTP 404']]);
  });

  it('that grows is reported again, at most once an hour', async () => {
    const org = await subscriber();
    await die(org);
    await look();
    await die(org, { count: 20 });
    await look();
    expect(await told(org)).toHaveLength(1);
    await moveClock(database, '61 minutes');
    await die(org, { count: 30 });
    await look();
    await die(org, { count: 300 });
    await look();
    expect(await told(org)).toEqual([
      ['cause.appeared', 'HTTP 500'],
      ['cause.grew', 'HTTP 500'],
    ]);
    await moveClock(database, '2 days');
    await sql('DELETE FROM dead_letters WHERE organization_id = $1', [org]);
    await die(org, { error: 'HTTP 404' });
    await look();
    await die(org);
    await look();
    expect((await told(org)).slice(2)).toEqual([
      ['cause.appeared', 'HTTP 404'],
      ['cause.appeared', 'HTTP 500'],
    ]);
  });

  it('that appeared while no scheduler ran is reported afterwards', async () => {
    const org = await subscriber();
    await die(org, { error: 'HTTP 404' });
    await look();
    await die(org);
    await moveClock(database, '5 hours');
    await die(org, { error: 'HTTP 404' });
    await look();
    expect(await told(org)).toEqual([
      ['cause.appeared', 'HTTP 404'],
      ['cause.appeared', 'HTTP 500'],
    ]);
  });

  it('of 2,000 is one of twenty an hour, the rest is one number, and others are reported as ever', async () => {
    const hostile = await subscriber();
    await die(hostile, { error: 'no $', count: 2_000 });
    const org = await subscriber();
    await die(org);
    await look();
    const events = (await reports(hostile)).map(([event]) => event);
    expect(events.toSorted()).toEqual([...Array<string>(20).fill('cause.appeared'), 'cause.omitted']);
    expect((await reports(hostile)).find(([event]) => event === 'cause.omitted')![1]).toEqual({
      causes: 480,
      at_least: true,
      since: expect.any(String),
      console_url: 'https://jobs.example/console/failures',
    });
    expect(await told(org)).toEqual([['cause.appeared', 'HTTP 500']]);
    await die(hostile, { error: 'not $', count: 100 });
    await look();
    expect(await reports(hostile)).toHaveLength(21);
    const [{ rows }] = await sql('SELECT count(*)::integer AS rows FROM reported_causes WHERE organization_id = $1', [
      hostile,
    ]);
    expect(rows).toBe(20);
    await moveClock(database, '61 minutes');
    await die(hostile, { error: 'never $' });
    await look();
    expect((await told(hostile)).slice(21)).toEqual([['cause.appeared', 'never h']]);
  });

  it('is looked for at most every 15 seconds', async () => {
    const org = await subscriber();
    await die(org, { error: 'HTTP 404' });
    await look();
    const { app } = idle;
    await moveClock(database, '12 seconds');
    await die(org);
    await moveClock(database, '11 seconds');
    expect(await app.get(CauseReportsTask).run()).toBe(1);
    await moveClock(database, '12 seconds');
    await die(org, { error: 'HTTP 500' });
    await moveClock(database, '2 seconds');
    expect(await app.get(CauseReportsTask).run()).toBe(0);
    expect(await told(org)).toHaveLength(2);
  });

  it('of one organization that cannot be looked at does not hold up the others', async () => {
    const [broken, org] = [await subscriber(), await subscriber()];
    await die(broken);
    await die(org);
    await sql(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$`,
    );
    await sql(`CREATE TRIGGER refuse BEFORE INSERT ON reported_causes FOR EACH ROW
      WHEN (NEW.organization_id = '${broken}') EXECUTE FUNCTION refuse()`);
    try {
      await expect(look()).rejects.toThrow('refused');
    } finally {
      await sql('DROP FUNCTION refuse CASCADE');
    }
    expect(await told(org)).toEqual([['cause.appeared', 'HTTP 500']]);
    expect(await reports(broken)).toEqual([]);
    await look();
    expect(await told(broken)).toEqual([['cause.appeared', 'HTTP 500']]);
  });
});
