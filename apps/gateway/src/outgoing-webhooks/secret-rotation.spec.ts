import { standardSecretProblem } from '@spooled/domain';
import { untilLocked, useSuperuser, useTenantForEach } from '@spooled/testing';
import { useGateway } from '../gateway.fixture.js';

const { database, gateway } = useGateway();
const tenant = useTenantForEach(database);
const superuser = useSuperuser(database);

const send = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) =>
  gateway.request(method, path, tenant.key, body);
const fields = { name: 'w', url: 'https://example.com/', events: ['job.failed'] };
const standardSecret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

async function created(more: object): Promise<string> {
  const { status, body } = await send('POST', '/outgoing-webhooks', { ...fields, ...more });
  expect([status, body]).toEqual([201, expect.any(Object)]);
  return (body as { id: string }).id;
}

const rotate = (id: string, body?: object) => send('POST', `/outgoing-webhooks/${id}/rotate-secret`, body);

const secretsOf = async (id: string) =>
  (
    await superuser.query<{ secret: string | null; previous_secret: string | null; valid: number | null }>(
      `SELECT secret, previous_secret, extract(epoch FROM previous_secret_until - updated_at)::float8 AS valid
       FROM outgoing_webhooks WHERE id = $1`,
      [id],
    )
  ).rows[0];

describe('BX-37 a rotation of a signing secret', () => {
  it('generates a secret that fits every format and shows it once; the old one stays valid for a day', async () => {
    const id = await created({ secret: 'old' });
    const { status, body } = await rotate(id);
    expect([status, standardSecretProblem(body.secret)]).toEqual([200, null]);
    expect(await secretsOf(id)).toEqual({ secret: body.secret, previous_secret: 'old', valid: 86_400 });
    const shown = await send('GET', `/outgoing-webhooks/${id}`);
    const { secret: _secret, ...rest } = body;
    expect(shown.body).toEqual(rest);
    expect(shown.body.rotation_ends_at).toEqual(expect.any(String));
    const listed = JSON.stringify((await send('GET', '/outgoing-webhooks')).body);
    for (const secret of ['old', body.secret]) expect(listed).not.toContain(`"${secret}"`);
  });

  it('takes a given secret without returning it, and a time', async () => {
    const id = await created({ secret: 'old' });
    const { body } = await rotate(id, { secret: 'new', previous_valid_seconds: 60 });
    expect(body).toMatchObject({ id, secret: null });
    expect(await secretsOf(id)).toEqual({ secret: 'new', previous_secret: 'old', valid: 60 });
  });

  it('can be repeated: the previous secret stays, and only the new one is replaced', async () => {
    const id = await created({ secret: 'old' });
    await rotate(id, { secret: 'lost' });
    await rotate(id, { secret: 'new' });
    expect(await secretsOf(id)).toMatchObject({ secret: 'new', previous_secret: 'old' });
    await superuser.query('UPDATE outgoing_webhooks SET previous_secret_until = now() WHERE id = $1', [id]);
    expect((await send('GET', `/outgoing-webhooks/${id}`)).body).toMatchObject({ rotation_ends_at: null });
    await rotate(id, { secret: 'newer' });
    expect(await secretsOf(id)).toMatchObject({ secret: 'newer', previous_secret: 'new' });
  });

  it('ends at once with 0 seconds or another secret; the same one and other changes keep it', async () => {
    const id = await created({ secret: 'old' });
    await rotate(id, { secret: 'new' });
    await send('PUT', `/outgoing-webhooks/${id}`, { name: 'renamed', secret: 'new' });
    expect(await secretsOf(id)).toMatchObject({ secret: 'new', previous_secret: 'old' });
    await send('PUT', `/outgoing-webhooks/${id}`, { secret: 'other' });
    expect(await secretsOf(id)).toEqual({ secret: 'other', previous_secret: null, valid: null });
    await rotate(id, { secret: 'a' });
    expect(await secretsOf(id)).toMatchObject({ secret: 'a', previous_secret: 'other' });
    await rotate(id, { secret: 'b', previous_valid_seconds: 0 });
    expect(await secretsOf(id)).toEqual({ secret: 'b', previous_secret: null, valid: null });
  });

  it('of a webhook without a secret has no previous one', async () => {
    const id = await created({});
    expect((await rotate(id, { secret: 'first' })).body).toMatchObject({ rotation_ends_at: null });
    expect(await secretsOf(id)).toEqual({ secret: 'first', previous_secret: null, valid: null });
  });

  it('is in the audit log without a secret', async () => {
    const id = await created({ secret: 'the old one' });
    await rotate(id, { secret: 'the new one' });
    const { body } = await send('GET', '/audit');
    expect(body[0]).toMatchObject({
      action: 'webhook.updated',
      target_id: id,
      before: { secret: '[secret]' },
      after: { secret: '[secret]', previous_secret: '[secret]', rotation_ends_at: expect.any(String) },
    });
    expect(JSON.stringify(body)).not.toMatch(/the (old|new) one/);
  });

  it.each([
    [{ previous_valid_seconds: 604_801 }, 'previous_valid_seconds'],
    [{ previous_valid_seconds: -1 }, 'previous_valid_seconds'],
    [{ secret: '' }, 'secret'],
    [{ previous_seconds: 5 }, 'previous_seconds'],
  ])('names what is wrong with %j', async (wrong, field) => {
    const { status, body } = await rotate(await created({ secret: 'old' }), wrong);
    expect([status, Object.keys(body.details as object)]).toEqual([400, [field]]);
  });

  it('is for those who may change webhooks, of this organization', async () => {
    const id = await created({ secret: 'old' });
    const viewer = await tenant.keyAs('viewer');
    expect(await gateway.request('POST', `/outgoing-webhooks/${id}/rotate-secret`, viewer, {})).toMatchObject({
      status: 403,
    });
    expect(await rotate('01930000-0000-7000-8000-000000000000')).toMatchObject({ status: 404 });
    expect(await secretsOf(id)).toMatchObject({ secret: 'old', previous_secret: null });
  });
});

describe('BX-37 the format standard', () => {
  it('requires a secret of Standard Webhooks, however it is set', async () => {
    const refused = { status: 400, body: { details: { secret: expect.any(String) } } };
    for (const secret of [undefined, null, 'shh', 'whsec_short']) {
      expect(await send('POST', '/outgoing-webhooks', { ...fields, format: 'standard', secret })).toMatchObject(
        refused,
      );
    }
    const id = await created({ secret: 'shh' });
    const path = `/outgoing-webhooks/${id}`;
    expect(await send('PUT', path, { format: 'standard' })).toMatchObject(refused);
    expect(await send('PUT', path, { format: 'standard', secret: standardSecret })).toMatchObject({ status: 200 });
    for (const secret of [null, 'shh']) expect(await send('PUT', path, { secret })).toMatchObject(refused);
    expect(await rotate(id, { secret: 'shh' })).toMatchObject(refused);
    expect(await rotate(id)).toMatchObject({ status: 200, body: { format: 'standard' } });
    expect(await send('PUT', path, { format: 'json', secret: 'shh' })).toMatchObject({ status: 200 });
  });

  it('is not joined with another secret by two changes at the same time', async () => {
    const id = await created({ secret: standardSecret });
    const holder = await superuser.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM outgoing_webhooks WHERE id = $1 FOR UPDATE', [id]);
      const changes = [{ format: 'standard' }, { secret: null }].map((change) =>
        send('PUT', `/outgoing-webhooks/${id}`, change),
      );
      await untilLocked(superuser, 2);
      await holder.query('COMMIT');
      expect((await Promise.all(changes)).map(({ status }) => status).sort()).toEqual([200, 400]);
    } finally {
      holder.release();
    }
  });
});
