import type { EventEnvelope } from '@spooled/contracts';
import { createTenant, eventually, untilLocked, useSuperuser } from '@spooled/testing';
import { QueueSignals, RedisCredentialCache, RedisEventSubscriber } from '@spooled/transport';
import { silent, useIdleScheduler, useSchedulers } from '../scheduler.fixture.js';
import { QueuePausesTask } from './queue-pauses.task.js';

const { database, schedulers } = useSchedulers();
const superuser = useSuperuser(database);
const idle = useIdleScheduler(database);

afterEach(() => sql('DELETE FROM queue_config'));

const sql = async (text: string, parameters: unknown[] = []) => (await superuser.query(text, parameters)).rows;

const tenant = async () => (await createTenant(database.superuserUrl)).organizationId;

/** Pauses a queue until `seconds` from now, which may be in the past. */
const pause = (org: string, queue: string, seconds: number | null) =>
  sql(
    `INSERT INTO queue_config (organization_id, queue_name, enabled, settings, pause_expires_at)
     VALUES ($1, $2, false, '{"paused": true, "paused_at": "2026-01-01T00:00:00Z", "paused_reason": "why"}',
       now() + make_interval(secs => $3))`,
    [org, queue, seconds],
  );
const stateOf = async (org: string, queue: string) =>
  (
    await sql('SELECT enabled, settings FROM queue_config WHERE organization_id = $1 AND queue_name = $2', [org, queue])
  )[0];
const resumptions = (org: string) =>
  sql(
    `SELECT actor, target_id, before ->> 'enabled' AS was, after ->> 'enabled' AS is_now FROM audit_log
     WHERE organization_id = $1 AND action = 'queue.updated' ORDER BY target_id`,
    [org],
  );

describe('BX-26 a pause that has expired', () => {
  it('ends by itself, once over all schedulers, and wakes waiting claims as a resume by a request', async () => {
    const org = await tenant();
    await sql(
      `INSERT INTO outgoing_webhooks (organization_id, name, url, events)
       VALUES ($1, 'all', 'http://localhost:9/hook', '{queue.resumed}')`,
      [org],
    );
    const events: EventEnvelope[] = [];
    const subscriber = new RedisEventSubscriber(schedulers.shards, silent);
    const leave = subscriber.subscribe(org, (more) => events.push(...more.map(({ envelope }) => envelope)));
    await subscriber.ready(org);
    const signals = new QueueSignals(schedulers.shards);
    const woken = new Promise((resolve) => signals.onWake(org, 'mail', resolve));
    const controlled = new Promise((resolve) => signals.onControl(org, 'mail', resolve));
    const noticed = new Promise((resolve) =>
      new RedisCredentialCache(schedulers.shards, silent).onInvalidate(
        (notice) => notice.kind === 'queue' && resolve(notice),
      ),
    );
    await Promise.all([1, 2].map(() => schedulers.start()));
    await pause(org, 'mail', 1);
    await Promise.all([woken, controlled, noticed]);
    expect(await stateOf(org, 'mail')).toEqual({ enabled: true, settings: {} });
    await eventually(() =>
      expect(events).toContainEqual({ type: 'QueueResumed', data: expect.objectContaining({ queue_name: 'mail' }) }),
    );
    // Both have looked again.
    await Promise.all(schedulers.running.map(({ app }) => app.get(QueuePausesTask).run()));
    expect(events.filter(({ type }) => type === 'QueueResumed')).toHaveLength(1);
    expect(await resumptions(org)).toEqual([
      { actor: 'system queue-pauses', target_id: 'mail', was: 'false', is_now: 'true' },
    ]);
    expect(await sql('SELECT event, payload FROM webhook_deliveries WHERE organization_id = $1', [org])).toEqual([
      { event: 'queue.resumed', payload: { queue_name: 'mail', paused_duration_secs: expect.any(Number) } },
    ]);
    leave();
  });

  it('is made up for by a scheduler that did not run, in all organizations; other pauses last', async () => {
    const [one, other] = [await tenant(), await tenant()];
    await pause(one, 'mail', -3_600);
    await pause(other, 'reports', -1);
    await pause(other, 'later', 3_600);
    await pause(other, 'always', null);
    await schedulers.start();
    await eventually(async () => {
      expect(await stateOf(one, 'mail')).toMatchObject({ enabled: true });
      expect(await stateOf(other, 'reports')).toMatchObject({ enabled: true });
    });
    expect(await stateOf(other, 'later')).toMatchObject({ enabled: false });
    expect(await stateOf(other, 'always')).toMatchObject({ enabled: false });
  });

  it('stays if the queue is paused for longer after it was found', async () => {
    const org = await tenant();
    await pause(org, 'mail', -1);
    const { app } = idle;
    const blocker = await superuser.connect();
    try {
      await blocker.query('BEGIN');
      await blocker.query(`UPDATE queue_config SET pause_expires_at = now() + interval '1 hour'`);
      const run = app.get(QueuePausesTask).run();
      await untilLocked(superuser, 1, 'queue_config');
      await blocker.query('COMMIT');
      await run;
    } finally {
      blocker.release();
    }
    expect(await stateOf(org, 'mail')).toMatchObject({ enabled: false });
    expect(await resumptions(org)).not.toContainEqual(expect.objectContaining({ actor: 'system queue-pauses' }));
  });

  it('of one queue that cannot be resumed does not hold up the others', async () => {
    const org = await tenant();
    await pause(org, 'broken', -2);
    await pause(org, 'mail', -1);
    await sql(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$`,
    );
    await sql(`CREATE TRIGGER refuse BEFORE UPDATE ON queue_config FOR EACH ROW
      WHEN (OLD.queue_name = 'broken') EXECUTE FUNCTION refuse()`);
    const { app } = idle;
    try {
      await expect(app.get(QueuePausesTask).run()).rejects.toThrow('refused');
    } finally {
      await sql('DROP FUNCTION refuse CASCADE');
    }
    expect(await stateOf(org, 'mail')).toMatchObject({ enabled: true });
  });
});
