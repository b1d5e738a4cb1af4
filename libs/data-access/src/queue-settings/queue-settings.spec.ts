import { randomUUID } from 'node:crypto';
import { untilLocked, useConnections, useDatabase, useSuperuser } from '@spooled/testing';
import { callerContext } from '../database/caller-context.js';
import { findPause, listPauses, pauseQueue, resumeQueue } from './queue-pauses.js';
import { recordDeliveries, findQueue, saveQueueSettings } from './queue-settings.js';

const testDatabase = useDatabase();
const db = useConnections(testDatabase);
const superuser = useSuperuser(testDatabase);
let organizationId: string;

const defaults = { maxRetries: 3, timeoutSeconds: 300 };
const unchanged = { maxRetries: null, timeoutSeconds: null, rateLimit: null, enabled: null, settings: null };

beforeEach(async () => {
  organizationId = randomUUID();
  await db.withTenant(organizationId, (tx) =>
    tx.query('INSERT INTO organizations (id, name, slug) VALUES ($1, $2, $3)', [
      organizationId,
      'Spec',
      `spec-${organizationId}`,
    ]),
  );
});

describe('the headers of a push queue', () => {
  const save = (settings: object) =>
    db.withTenant(organizationId, (tx) =>
      saveQueueSettings(tx, 'mail', { ...unchanged, settings: JSON.stringify(settings) }, defaults),
    );
  const stored = async () => {
    const [row] = await db.withTenant(organizationId, (tx) => tx.query('SELECT settings FROM queue_config'));
    return (row as { settings: { callback_headers?: object } }).settings.callback_headers;
  };
  const headers = { 'x-token': 'top secret' };

  it.each<[string, object[]]>([
    ['another one', [{ callback_url: 'https://other.example/' }]],
    ['none, and another one after that', [{ callback_url: null }, { callback_url: 'https://other.example/' }]],
  ])('go with their receiver when the queue gets %s', async (_, changes) => {
    await save({ callback_url: 'https://own.example/', callback_headers: headers });
    await save({ callback_url: 'https://own.example/', concurrency: 2 });
    expect(await stored()).toEqual(headers);
    for (const change of changes) await save(change);
    expect(await stored()).toBeUndefined();
  });

  it('may be given before the receiver', async () => {
    await save({ callback_headers: headers });
    await save({ callback_url: 'https://own.example/' });
    expect(await stored()).toEqual(headers);
  });
});

describe('pausing a queue', () => {
  it('keeps the time of the first call, and leaves no settings behind after resuming', async () => {
    await db.withTenant(organizationId, (tx) =>
      saveQueueSettings(tx, 'mail', { ...unchanged, settings: '{"own": 1}' }, defaults),
    );
    const first = await db.withTenant(organizationId, (tx) =>
      pauseQueue(tx, 'mail', { reason: 'why', expiresAt: null }, defaults),
    );
    const second = await db.withTenant(organizationId, (tx) =>
      pauseQueue(tx, 'mail', { reason: null, expiresAt: null }, defaults),
    );
    expect([first.changed, second]).toEqual([true, { pausedAt: first.pausedAt, expiresAt: null, changed: false }]);
    // As if that had been earlier.
    const earlier = { paused_at: new Date(Date.parse(first.pausedAt) - 90_000).toISOString() };
    await db.withTenant(organizationId, (tx) =>
      tx.query('UPDATE queue_config SET settings = settings || $1', [JSON.stringify(earlier)]),
    );
    const resumed = await db.withTenant(organizationId, (tx) => resumeQueue(tx, 'mail'));
    expect(resumed).toEqual({
      pausedSeconds: expect.any(Number),
      changed: true,
      resumedAt: expect.any(String),
      deliveries: [],
    });
    expect(resumed!.pausedSeconds).toBeGreaterThanOrEqual(90);
    expect(resumed!.pausedSeconds).toBeLessThan(120);
    expect(await db.withTenant(organizationId, (tx) => resumeQueue(tx, 'mail'))).toMatchObject({ changed: false });
    expect(
      await db.withTenant(organizationId, (tx) => findQueue(tx, 'mail', defaults, { withSecrets: true })),
    ).toMatchObject({
      enabled: true,
      settings: '{"own": 1}',
    });
  });

  it('is known to a change that waits for it, also of a queue without settings', async () => {
    const { saved } = await db.withTenant(organizationId, async (tx) => {
      await pauseQueue(tx, 'new', { reason: null, expiresAt: null }, defaults);
      const resume = { ...unchanged, enabled: true };
      const saved = db.withTenant(organizationId, (other) => saveQueueSettings(other, 'new', resume, defaults));
      await untilLocked(superuser);
      return { saved };
    });
    expect(await saved).toMatchObject({ queue: { enabled: true }, wasEnabled: false });
  });

  it('is found beneath any number of other entries of the audit log', async () => {
    await db.withTenant(organizationId, async (tx) => {
      await pauseQueue(tx, 'mail', { reason: null, expiresAt: null }, defaults);
      await resumeQueue(tx, 'mail');
      await tx.query(
        `INSERT INTO audit_log (organization_id, action, target_kind, target_id, before, after)
         SELECT $1, 'queue.updated', 'queue', 'mail', '{"rate_limit": 1}', '{"rate_limit": 2}' FROM generate_series(1, 10001)`,
        [organizationId],
      );
    });
    const pauses = await db.withTenant(organizationId, (tx) => listPauses(tx, 'mail', '2020-01-01T00:00:00Z'));
    expect(pauses).toEqual([{ from: expect.any(String), to: expect.any(String) }]);
  });

  it('BX-26 an expiry ends with its pause, whatever statement resumes the queue, and so does who paused it', async () => {
    const pause = (expiresAt: string | null) =>
      db.withTenant(organizationId, (tx) => pauseQueue(tx, 'mail', { reason: 'why', expiresAt }, defaults));
    const read = () =>
      db.withTenant(organizationId, async (tx) => (await tx.first(findPause, { queueName: 'mail' })) ?? null);
    const caller = { actor: 'key 1 Nightly', address: null, userAgent: null };
    await callerContext.run(caller, () => pause('2100-01-01T00:00:00Z'));
    expect(await read()).toMatchObject({
      reason: 'why',
      pause_expires_at: '2100-01-01T00:00:00Z',
      paused_by: 'key 1 Nightly',
    });
    await db.withTenant(organizationId, (tx) =>
      tx.query('UPDATE queue_config SET enabled = true WHERE organization_id = $1', [organizationId]),
    );
    expect(await read()).toBeNull();
    await pause(null);
    expect(await read()).toMatchObject({ pause_expires_at: null, paused_by: null });
  });

  it('records a delivery for each subscribed webhook in the same transaction', async () => {
    const webhook = 'INSERT INTO outgoing_webhooks (organization_id, name, url, events) VALUES ($1, $2, $3, $4)';
    const recorded = await db.withTenant(organizationId, async (tx) => {
      await tx.query(webhook, [organizationId, 'a', 'https://a.example', ['queue.paused', 'job.created']]);
      await tx.query(webhook, [organizationId, 'b', 'https://b.example', ['queue.resumed']]);
      return recordDeliveries(tx, 'queue.paused', { queue_name: 'mail', reason: null });
    });
    const rows = await db.withTenant(organizationId, (tx) =>
      tx.query('SELECT id, event, job_id, payload FROM webhook_deliveries'),
    );
    const payload = '{"queue_name":"mail","reason":null}';
    expect(rows).toEqual([{ id: recorded[0], event: 'queue.paused', job_id: null, payload }]);
  });
});
