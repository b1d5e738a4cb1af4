import { useSuperuser, useTenantForEach } from '@spooled/testing';
import { useGateway } from './gateway.fixture.js';

const { database, gateway } = useGateway();
const tenant = useTenantForEach(database);
const superuser = useSuperuser(database);

const rows = 5_002;
const webhook = { name: 'w', url: 'https://example.com/', events: ['job.failed'] };
const schedule = { name: 's', queue_name: 'mails', cron_expression: '* * * * * *', payload_template: {} };

/** Collects in `deleted_parts` how many rows each statement has deleted, also by a foreign key. */
beforeAll(() =>
  superuser.query(`
    CREATE TABLE deleted_parts (deleted int);
    GRANT INSERT ON deleted_parts TO PUBLIC;
    CREATE FUNCTION note_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO deleted_parts SELECT count(*) FROM gone;
        RETURN NULL;
      END $$;
    CREATE TRIGGER noted AFTER DELETE ON webhook_deliveries REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION note_deleted();
    CREATE TRIGGER noted AFTER DELETE ON schedule_runs REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION note_deleted();`),
);

describe('what has very many rows is deleted in parts', () => {
  it.each([
    [
      'a webhook with its deliveries',
      '/outgoing-webhooks',
      webhook,
      'webhook_deliveries (organization_id, webhook_id, event, payload)',
      `'job.failed', '{}'`,
    ],
    [
      'a schedule with its runs',
      '/schedules',
      schedule,
      'schedule_runs (organization_id, schedule_id, status, source)',
      `'completed', 'schedule'`,
    ],
  ])('%s', async (_, path, settings, columns, values) => {
    const { body } = await gateway.request('POST', path, tenant.key, settings);
    await superuser.query(`INSERT INTO ${columns} SELECT $1, $2, ${values} FROM generate_series(1, ${rows})`, [
      tenant.organizationId,
      body.id,
    ]);
    await superuser.query('DELETE FROM deleted_parts');
    expect((await gateway.request('DELETE', `${path}/${body.id}`, tenant.key)).status).toBe(204);
    const parts = await superuser.query('SELECT deleted FROM deleted_parts WHERE deleted > 0 ORDER BY deleted');
    expect(parts.rows).toEqual([{ deleted: 2 }, { deleted: 5_000 }]);
    expect((await gateway.request('GET', `${path}/${body.id}`, tenant.key)).status).toBe(404);
  });
});
