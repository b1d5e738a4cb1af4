import { useTenantForEach } from '@spooled/testing';
import { useGateway } from '../gateway.fixture.js';

const { database, gateway } = useGateway();
const tenant = useTenantForEach(database);

const update = (settings: object) =>
  gateway.request('PUT', `/organizations/${tenant.organizationId}`, tenant.key, { settings });

describe('BX-37 the secrets of inbound webhooks in the settings', () => {
  it.each([['one'], [['new', 'old']], [''], [null], [undefined]])('may be %j', async (secret) => {
    expect(await update({ github_webhook_secret: secret, stripe_webhook_secret: secret })).toMatchObject({
      status: 200,
    });
  });

  it.each([[5], [{}], [[]], [['a', 'b', 'c']], [['']], [['a', 5]], ['x'.repeat(256)]])(
    'may not be %j',
    async (secret) => {
      const { status, body } = await update({ stripe_webhook_secret: secret });
      expect([status, Object.keys(body.details as object)]).toEqual([400, ['settings.stripe_webhook_secret']]);
    },
  );

  const whsec = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

  it.each([[whsec], [[whsec, whsec]], [''], [null]])('of Standard Webhooks may be %j', async (secret) => {
    expect(await update({ standard_webhook_secret: secret })).toMatchObject({ status: 200 });
  });

  it.each([['one'], [[whsec, 'two']], [[whsec, whsec, whsec]], [[]], [5]])(
    'of Standard Webhooks may not be %j',
    async (secret) => {
      const { status, body } = await update({ standard_webhook_secret: secret });
      expect([status, Object.keys(body.details as object)]).toEqual([400, ['settings.standard_webhook_secret']]);
    },
  );
});
