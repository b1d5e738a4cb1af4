import { createTenant } from '@spooled/testing';
import pg from 'pg';
import { useGateway } from '../gateway.fixture.js';

const { database, gateway } = useGateway();

it('SP-25 many reports about a job are written a few times, and the last one is kept', async () => {
  const { key } = await createTenant(database.superuserUrl);
  await gateway.request('POST', '/jobs', key, { queue_name: 'q', payload: {} });
  const { body } = await gateway.request('POST', '/jobs/claim', key, { queue_name: 'q', worker_id: 'w' });
  const [{ id, lease_id }] = body.jobs;
  const superuser = new pg.Client({ connectionString: database.superuserUrl });
  await superuser.connect();
  await superuser.query(`
    CREATE TABLE writes (at timestamptz);
    CREATE FUNCTION count_write() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
      AS $$ BEGIN INSERT INTO public.writes VALUES (clock_timestamp()); RETURN NULL; END $$;
    CREATE TRIGGER count_writes AFTER UPDATE OF progress ON job_queue FOR EACH ROW EXECUTE FUNCTION count_write();
  `);
  const responses = await Promise.all(
    Array.from({ length: 100 }, (_, i) =>
      gateway.request('POST', `/jobs/${id}/progress`, key, {
        worker_id: 'w',
        lease_id,
        progress: i,
        message: `${i} %`,
      }),
    ),
  );
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  const { rows } = await superuser.query('SELECT * FROM writes');
  await superuser.end();
  // Two, where the reports arrive within a second.
  expect(rows.length).toBeLessThan(20);
  expect((await gateway.request('GET', `/jobs/${id}`, key)).body).toMatchObject({
    progress: 99,
    progress_message: '99 %',
    progress_at: expect.any(String),
  });
  // Reports of another lease are not taken for those of the holder.
  const stale = { worker_id: 'w', lease_id: id, progress: 1 };
  const late = await Promise.all([1, 2].map(() => gateway.request('POST', `/jobs/${id}/progress`, key, stale)));
  expect(late.at(-1)).toMatchObject({ status: 409, body: { code: 'LEASE_EXPIRED' } });
});
