import { scheduleSchemas } from '@spooled/contracts';
import { fromNow, useTenant } from '@spooled/testing';
import { useGateway } from '../gateway.fixture.js';

const { database, gateway } = useGateway();
const tenant = useTenant(database);

const ask = (body: object) => gateway.request('POST', '/schedules/preview', tenant.key, body);

async function runs(body: object): Promise<scheduleSchemas.SchedulePreview['runs']> {
  const response = await ask(body);
  expect([response.status, response.body]).toEqual([200, response.body]);
  return scheduleSchemas.schedulePreview.parse(response.body).runs;
}

describe('BX-25 POST /api/v1/schedules/preview', () => {
  it('BX-25 shows the next runs in UTC and in the zone, across a change of its offset', async () => {
    expect(
      await runs({ cron_expression: '30 9 * * *', timezone: 'Europe/Berlin', count: 3, after: '2026-10-23T12:00:00Z' }),
    ).toEqual([
      { at: '2026-10-24T07:30:00.000Z', local: '2026-10-24T09:30:00+02:00' },
      { at: '2026-10-25T08:30:00.000Z', local: '2026-10-25T09:30:00+01:00' },
      { at: '2026-10-26T08:30:00.000Z', local: '2026-10-26T09:30:00+01:00' },
    ]);
    expect(
      await runs({ cron_expression: '0 0 * * *', timezone: '-03:30', count: 1, after: '2026-01-01T00:00:00Z' }),
    ).toEqual([{ at: '2026-01-01T03:30:00.000Z', local: '2026-01-01T00:00:00-03:30' }]);
  });

  it('BX-25 begins now, and shows ten, unless told otherwise', async () => {
    const before = fromNow(0);
    const all = await runs({ cron_expression: '*/5 * * * * *' });
    expect(all).toHaveLength(10);
    const first = new Date(all[0]!.at);
    expect([first > before, first <= fromNow(5_000)]).toEqual([true, true]);
    expect(await runs({ cron_expression: '0 0 30 2 *' })).toEqual([]);
  });

  it.each([
    ['an expression', { cron_expression: 'not a cron at all' }],
    ['a time zone', { cron_expression: '0 0 * * *', timezone: 'Mars/Olympus' }],
  ])('BX-25 refuses %s as the creation does, and stores nothing', async (_what, body) => {
    const refused = await ask(body);
    const schedule = { ...body, name: 's', queue_name: 'mail', payload_template: {} };
    const creation = await gateway.request('POST', '/schedules', tenant.key, schedule);
    expect(refused).toMatchObject({ status: 400, body: { code: creation.body.code, message: creation.body.message } });
    expect((await gateway.request('GET', '/schedules', tenant.key)).body).toEqual([]);
  });

  it('of a schedule that would never run is empty, and the schedule is refused', async () => {
    const send = (method: 'POST' | 'PUT', path: string, body: object) =>
      gateway.request(method, path, tenant.key, body);
    const fields = { name: 's', queue_name: 'mail', payload_template: {}, cron_expression: '0 0 1 1 *' };
    const never = { cron_expression: '0 0 30 2 *' };
    const refused = { status: 400, body: { details: { cron_expression: 'matches no time' } } };
    expect(await send('POST', '/schedules', { ...fields, ...never })).toMatchObject(refused);
    const { id } = (await send('POST', '/schedules', fields)).body;
    expect(await send('PUT', `/schedules/${id}`, never)).toMatchObject(refused);
    expect(await send('PUT', `/schedules/${id}`, { ...never, is_active: false })).toMatchObject({ status: 200 });
    expect(await send('POST', `/schedules/${id}/resume`, {})).toMatchObject(refused);
  });

  it('BX-25 bounds the number of runs', async () => {
    expect((await ask({ cron_expression: '0 0 * * *', count: 26 })).status).toBe(400);
    expect(await runs({ cron_expression: '0 0 29 2 1', count: 25 })).toHaveLength(25);
  });
});
