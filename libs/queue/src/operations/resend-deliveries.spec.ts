import { cancelOperation, changeWebhook, previewOfDeliveries } from '@spooled/data-access';
import { untilLocked } from '@spooled/testing';
import pg from 'pg';
import { useEngine } from '../testing/job-lifecycle.fixture.js';
import { OperationsFixture } from './operations.fixture.js';

const fixture = useEngine();
let operations: OperationsFixture;
let webhook: string;
beforeEach(async () => {
  operations = new OperationsFixture(fixture, await fixture.organization());
  webhook = await newWebhook();
  fixture.effects.length = 0;
});

async function newWebhook(): Promise<string> {
  const [row] = await fixture.sql<{ id: string }>(
    `INSERT INTO outgoing_webhooks (organization_id, name, url, events)
     VALUES ($1, 'hook', 'https://example.com/', '{job.completed,job.failed}') RETURNING id`,
    [operations.org],
  );
  return row!.id;
}

interface Given {
  status?: string;
  attempts?: number;
  retries?: number;
  event?: string;
  age?: string;
  next?: string | null;
  error?: string;
  of?: string;
  count?: number;
}

/** Deliveries of the webhook, failed for good unless said otherwise. */
async function deliveries(given: Given = {}): Promise<string[]> {
  const { status = 'failed', attempts = 5, retries = 0, event = 'job.failed', age = '1 hour', next = null } = given;
  const rows = await fixture.sql<{ id: string }>(
    `INSERT INTO webhook_deliveries (organization_id, webhook_id, event, payload, status, attempts, manual_retries, error, created_at,
       next_attempt_at)
     SELECT $1, $2, $3, '{}', $4, $5, $6, $7, current_ts() - $8::interval, CASE WHEN $9 = 'infinity' THEN 'infinity' ELSE current_ts() + $9::interval END
     FROM generate_series(1, $10) RETURNING id`,
    [
      operations.org,
      given.of ?? webhook,
      event,
      status,
      attempts,
      retries,
      given.error ?? 'HTTP 500',
      age,
      next,
      given.count ?? 1,
    ],
  );
  return rows.map(({ id }) => id);
}
const filterOf = (more: object = {}) => ({ webhook_id: webhook, ...more });
const resend = (more: object = {}, options: object = {}) =>
  operations.create('delivery.resend', { filter: filterOf(more), ...options });
const previewed = (more: object = {}) =>
  fixture.db.withTenant(operations.org, (tx) => previewOfDeliveries(tx, { filter: filterOf(more), sampled: 9 }));
/** Those that are due now. */
const due = async () =>
  (
    await fixture.sql<{ id: string }>(
      `SELECT id FROM webhook_deliveries WHERE organization_id = $1 AND status = 'pending' AND next_attempt_at <= current_ts()
       ORDER BY created_at, id`,
      [operations.org],
    )
  ).map(({ id }) => id);
const handedOver = () => fixture.effects.flatMap((effects) => effects.deliveries.map(({ id }) => id)).sort();

describe('BX-37 an operation that sends deliveries again', () => {
  it('takes those that have failed, were dropped or wait for a later attempt, and what it counts is what it sends', async () => {
    const [failed] = await deliveries();
    const [dropped] = await deliveries({
      attempts: 0,
      error: 'Dropped: more than 3 deliveries waited for the receiver',
    });
    const [later] = await deliveries({ attempts: 7, next: '2 hours' });
    // An attempt takes less than a minute.
    const [soon] = await deliveries({ next: '90 seconds' });
    const [tried] = await deliveries({ attempts: 10, retries: 4 });
    const [retried] = await deliveries({ attempts: 9, retries: 5 });
    await deliveries({ status: 'success' });
    await deliveries({ status: 'pending', next: '2 hours' });
    await deliveries({ status: 'pending', next: 'infinity' });
    // It may be running.
    await deliveries({ next: '30 seconds' });
    await deliveries({ attempts: 10, retries: 5 });
    const other = await newWebhook();
    await deliveries({ of: other });
    await fixture.sql('UPDATE outgoing_webhooks SET enabled = false, held_since = current_ts() WHERE id = $1', [other]);
    const expected = [failed!, dropped!, later!, soon!, tried!, retried!].sort();
    const preview = await previewed();
    expect(preview.sample.map(({ delivery_id: id }) => id).sort()).toEqual(expected);
    expect(preview.count).toBe(6);
    const id = await resend();
    expect(await operations.finish(id)).toMatchObject({ state: 'completed', processed: 6, succeeded: 6 });
    expect((await due()).sort()).toEqual(expected);
    const retries = await fixture.sql(
      `SELECT manual_retries AS n FROM webhook_deliveries WHERE id = ANY ($1) ORDER BY array_position($1, id)`,
      [[failed, tried, retried]],
    );
    expect(retries.map(({ n }) => n)).toEqual([1, 5, 6]);
    expect(handedOver()).toEqual(expected);
    expect(await previewed()).toMatchObject({ count: 0 });
  });

  it('takes those since and until a time, and of an event', async () => {
    const [, middle, last] = [
      await deliveries({ age: '3 hours' }),
      await deliveries({ age: '2 hours' }),
      await deliveries({ age: '1 hour' }),
      await deliveries({ age: '110 min', event: 'job.completed' }),
    ];
    // The first time is included, the last one is not.
    const [time] = await fixture.sql<{ since: string; until: string }>(
      'SELECT min(created_at)::text AS since, max(created_at)::text AS until FROM webhook_deliveries WHERE id = ANY ($1)',
      [[middle![0], last![0]]],
    );
    const filter = { created_after: time!.since, created_before: time!.until, event: 'job.failed' };
    expect(await previewed(filter)).toMatchObject({ count: 1, sample: [{ delivery_id: middle![0] }] });
    expect((await previewed({ ...filter, event: undefined })).count).toBe(2);
    expect((await previewed({ created_after: time!.since })).count).toBe(3);
    await operations.finish(await resend(filter));
    expect(await due()).toEqual(middle);
  });

  it('sends each once in several steps, and not those that were created later or fail again meanwhile', async () => {
    // The older ones have the greater ids.
    const first = [
      ...(await deliveries({ count: 300, age: '2 hours' })),
      ...(await deliveries({ count: 300, age: '3 hours' })),
    ];
    const id = await resend();
    const [late] = await deliveries({ age: '-1 minute' });
    await operations.step();
    expect(await operations.counts(id)).toMatchObject({ state: 'running', processed: 500 });
    await fixture.sql(
      `UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL WHERE organization_id = $1 AND status = 'pending'`,
      [operations.org],
    );
    expect(await operations.finish(id)).toMatchObject({ state: 'completed', processed: 600 });
    expect(new Set(handedOver()).size).toBe(600);
    expect(await due()).toHaveLength(100);
    expect(handedOver()).toEqual(first.sort());
    expect(handedOver()).not.toContain(late);
  });

  it('sends as many as its rate allows, and no more once it was cancelled', async () => {
    await deliveries({ count: 3 });
    const id = await resend({}, { settings: { per_second: 1 } });
    await operations.step();
    const due = (at: string) => fixture.sql(`UPDATE operations SET next_step_at = ${at} WHERE id = $1`, [id]);
    // Before the time is over for which its rate is used.
    await due(`'2020-01-01', rate_used_until = rate_used_until + interval '1 hour'`);
    await operations.advance();
    expect(await operations.counts(id)).toMatchObject({ state: 'running', processed: 1 });
    await fixture.db.withTenant(
      operations.org,
      async (tx) => (await tx.run(cancelOperation, { id, kept: [] })).length > 0,
    );
    await due('current_ts()');
    await operations.step();
    const [row] = await fixture.sql(
      'SELECT state, processed::int, reason, next_step_at FROM operations WHERE id = $1',
      [id],
    );
    expect(row).toEqual({
      state: 'cancelled',
      processed: 1,
      reason: expect.stringContaining('(deliveries: 1)'),
      next_step_at: null,
    });
    expect(handedOver()).toHaveLength(1);
  });

  it('leaves those alone that others send or attempt meanwhile, and goes on behind them', async () => {
    const [running, ...others] = await deliveries({ count: 500, age: '2 hours' });
    const rest = await deliveries({ count: 10, age: '1 hour' });
    const id = await resend();
    const sender = new pg.Client({ connectionString: fixture.database.superuserUrl });
    await sender.connect();
    try {
      await sender.query('BEGIN');
      // As retryDelivery and claimDelivery do.
      await sender.query(
        `UPDATE webhook_deliveries SET status = 'pending', next_attempt_at = 'infinity' WHERE id = ANY ($1)`,
        [others],
      );
      const claimed = `UPDATE webhook_deliveries SET next_attempt_at = current_ts() + interval '20 seconds' WHERE id = $1`;
      await sender.query(claimed, [running]);
      const step = operations.step();
      await untilLocked(fixture.superuser);
      await sender.query('COMMIT');
      await step;
    } finally {
      await sender.end();
    }
    expect(await operations.finish(id)).toMatchObject({ state: 'completed', processed: 10, succeeded: 10 });
    expect(handedOver()).toEqual(rest.sort());
    expect(operations.errors).toEqual([]);
  });

  it('leaves deliveries of a held webhook to its probes, and stops for a disabled one', async () => {
    const [one] = await deliveries();
    await fixture.sql('UPDATE outgoing_webhooks SET held_since = current_ts() WHERE id = $1', [webhook]);
    expect(await operations.finish(await resend())).toMatchObject({ state: 'completed', processed: 1 });
    expect([await due(), handedOver()]).toEqual([[], []]);
    const held = await fixture.sql(
      `SELECT id, status FROM webhook_deliveries WHERE next_attempt_at = 'infinity' AND id = $1`,
      [one],
    );
    expect(held).toEqual([{ id: one, status: 'pending' }]);

    await deliveries();
    const id = await resend();
    await fixture.db.withTenant(operations.org, (tx) => changeWebhook(tx, webhook, { enabled: false }));
    expect(await operations.finish(id)).toMatchObject({
      state: 'stopped',
      processed: 0,
      reason: 'The webhook is disabled',
    });
    const gone = await resend();
    await fixture.sql('DELETE FROM outgoing_webhooks WHERE id = $1', [webhook]);
    expect(await operations.finish(gone)).toMatchObject({ state: 'stopped', reason: 'The webhook no longer exists' });
  });
});
