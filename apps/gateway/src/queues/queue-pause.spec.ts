import { fromNow, msUntil, useTenant } from '@spooled/testing';
import { useGateway } from '../gateway.fixture.js';

const { database, gateway } = useGateway();
const tenant = useTenant(database);

const configure = (queue: string, body: object) => gateway.request('PUT', `/queues/${queue}/config`, tenant.key, body);
const pause = (queue: string, body?: object) => gateway.request('POST', `/queues/${queue}/pause`, tenant.key, body);
const pauseOf = async (queue: string) => (await gateway.request('GET', `/queues/${queue}`, tenant.key)).body.pause;
/** In whole seconds. */
const ahead = (days: number) =>
  fromNow(days * 86_400_000)
    .toISOString()
    .replace(/\.\d+/, '');

describe('BX-26 a pause', () => {
  it('has its reason, expiry and actor in the queue, until it is resumed', async () => {
    await configure('mail', {});
    expect(await pauseOf('mail')).toBeNull();
    const expires_at = ahead(1);
    const paused = await pause('mail', { reason: 'Provider maintenance', expires_at });
    expect(paused.body).toMatchObject({ paused: true, reason: 'Provider maintenance', expires_at });
    expect(await pauseOf('mail')).toEqual({
      paused_at: expect.any(String),
      reason: 'Provider maintenance',
      expires_at,
      paused_by: { kind: 'key', id: expect.any(String), name: expect.any(String) },
    });
    await gateway.request('POST', '/queues/mail/resume', tenant.key);
    expect(await pauseOf('mail')).toBeNull();
  });

  it('may be given by its duration, by the time of the database', async () => {
    await configure('short', {});
    const { paused_at, expires_at } = (await pause('short', { duration_seconds: 90 })).body;
    expect(Date.parse(expires_at) - Date.parse(paused_at)).toBeGreaterThanOrEqual(90_000);
    expect(msUntil(expires_at)).toBeLessThanOrEqual(90_000);
  });

  it('is replaced by a later one, and lasts until it is resumed without an expiry', async () => {
    await configure('again', {});
    await pause('again', { reason: 'first', duration_seconds: 60 });
    const { paused_at } = await pauseOf('again');
    await pause('again');
    expect(await pauseOf('again')).toMatchObject({ paused_at, reason: null, expires_at: null });
  });

  it('is also made by the setting `enabled`, without an expiry', async () => {
    await configure('off', { enabled: false });
    expect(await pauseOf('off')).toMatchObject({ reason: null, expires_at: null, paused_by: { kind: 'key' } });
    await pause('off', { duration_seconds: 60 });
    await configure('off', { enabled: true });
    expect(await pauseOf('off')).toBeNull();
  });

  it.each([
    [{ expires_at: '2020-01-01T00:00:00Z' }, 400, 'expires_at', 'must be in the future'],
    [{ expires_at: ahead(31) }, 400, 'expires_at', 'must be at most 30 days ahead'],
    [{ expires_at: '2099-01-01T00:00:00+16:00' }, 400, 'expires_at', 'must have an offset of less than 16 hours'],
    [{ expires_at: 'tomorrow' }, 400, 'expires_at', 'must be an RFC 3339 time'],
    [{ duration_seconds: 0 }, 400, 'duration_seconds', 'must be at least 1'],
    [{ duration_seconds: 30 * 86_400 + 1 }, 400, 'duration_seconds', 'must be at most 2592000'],
    [
      { expires_at: ahead(1), duration_seconds: 60 },
      400,
      'duration_seconds',
      'must not be given together with expires_at',
    ],
  ])('is refused with %j, and the queue goes on', async (body, status, field, reason) => {
    await configure('open', {});
    expect(await pause('open', body)).toMatchObject({ status, body: { details: { [field]: reason } } });
    expect(await pauseOf('open')).toBeNull();
  });
});
