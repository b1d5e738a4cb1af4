import { createTenant, useConnections, useDatabase } from '@spooled/testing';
import {
  changeOrganization,
  findOrganization,
  type OrganizationChanges,
  readOrganizationDocuments,
} from './organization.repository.js';

const stores = useDatabase();
const database = useConnections(stores);

const change = (organizationId: string, changes: OrganizationChanges) =>
  database.withTenant(organizationId, (tx) => changeOrganization(tx, changes));
const documentsOf = (organizationId: string) =>
  database.withTenant(organizationId, (tx) => readOrganizationDocuments(tx));

describe('changes of an organization', () => {
  it('leave absent fields unchanged, and null resets', async () => {
    const { organizationId } = await createTenant(stores.superuserUrl);
    const end = '2027-01-02T03:04:05.678Z';
    await change(organizationId, {
      stripe_customer_id: 'cus_1',
      stripe_current_period_end: end,
      custom_limits: '{"a":1.0}',
    });
    const renamed = await change(organizationId, { name: 'Renamed' });
    expect(renamed).toMatchObject({ name: 'Renamed', stripe_customer_id: 'cus_1' });
    expect(new Date(renamed.stripe_current_period_end!).toISOString()).toBe(end);
    expect((await documentsOf(organizationId)).custom_limits).toBe('{"a": 1.0}');
    const reset = await change(organizationId, { stripe_customer_id: null, custom_limits: null });
    expect(reset).toMatchObject({ name: 'Renamed', stripe_customer_id: null });
    expect((await documentsOf(organizationId)).custom_limits).toBeNull();
    expect(await database.withTenant(organizationId, findOrganization)).toEqual(reset);
  });

  it('replace the settings except the webhook token', async () => {
    const { organizationId } = await createTenant(stores.superuserUrl);
    await change(organizationId, { webhook_token: 'whk_1', settings: '{"a":9007199254740993}' });
    expect(JSON.parse((await documentsOf(organizationId)).settings)).toMatchObject({ webhook_token: 'whk_1' });
    await change(organizationId, { settings: '{"b":2,"webhook_token":"forged"}' });
    expect(JSON.parse((await documentsOf(organizationId)).settings)).toEqual({ b: 2, webhook_token: 'whk_1' });
    await change(organizationId, { webhook_token: 'whk_2' });
    expect(JSON.parse((await documentsOf(organizationId)).settings)).toEqual({ b: 2, webhook_token: 'whk_2' });
  });

  it('are refused with 409 for an e-mail address in use', async () => {
    const [one, two] = await Promise.all([createTenant(stores.superuserUrl), createTenant(stores.superuserUrl)]);
    await change(one.organizationId, { billing_email: 'both@example.com' });
    const second = change(two.organizationId, { billing_email: 'both@example.com' });
    await expect(second).rejects.toMatchObject({ status: 409, code: 'CONFLICT' });
  });
});
