import { expectAccessible } from './setup/accessibility.js';
import { expect, test } from './setup/fixtures.js';

test('values hide by name and by the paths of the organization, and show one by one', async ({
  page,
  context,
  open,
  organization: { client, id: organizationId },
  openAs,
  problems,
}) => {
  await client.organizations.update(organizationId, { settings: { team: 'mail' } });
  const payload = {
    customer: { email: 'ann@example.com', name: 'Ann', card_number: '4111111111111111' },
    items: [{ serial: 'S-1' }, { serial: 'S-2' }],
    password: 'hunter2',
  };
  const { id } = await client.jobs.create({ queueName: 'emails', payload });
  const child = await client.jobs.create({ queueName: 'emails', payload, parentJobId: id });

  await open('/organization');
  await page.getByRole('region', { name: 'Hidden values' }).getByRole('button', { name: 'Change paths…' }).click();
  const paths = page.getByRole('textbox', { name: 'Paths, one per line' });
  await paths.fill('$.customer.email\n$.items[');
  await expect(page.getByRole('alert')).toContainText('"$.items[" is not a path');
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
  await paths.fill('$.customer.email\n$.items[*].serial\n');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('list', { name: 'Hidden paths' }).getByRole('listitem')).toHaveText([
    '$.customer.email',
    '$.items[*].serial',
  ]);
  // Other settings stay.
  expect((await client.organizations.get(organizationId)).settings).toMatchObject({
    team: 'mail',
    console_hidden_paths: ['$.customer.email', '$.items[*].serial'],
  });

  // A colleague who may only read finds the same values hidden.
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openAs({ name: 'Support', role: 'viewer' }, `/jobs/${child.id}`);
  await page.getByRole('region', { name: 'Waits for' }).getByRole('link').click();
  await expect(page.getByRole('heading', { name: `Job …${id.slice(-8)}` })).toBeVisible();
  const tree = page.getByRole('group', { name: 'Payload' });
  const hidden = tree.getByRole('button', { name: 'hidden · show' });
  await expect(tree).toContainText('"Ann"');
  await tree.getByRole('button', { name: '1 members' }).first().click();
  await tree.getByRole('button', { name: '1 members' }).last().click();
  await expect(hidden).toHaveCount(5);
  for (const secret of ['ann@', '4111', 'S-1', 'hunter2']) await expect(tree).not.toContainText(secret);
  await expectAccessible(page, tree);

  await tree.getByRole('button', { name: 'Copy', exact: true }).click();
  const copied = async (): Promise<unknown> => {
    const text = String(await page.evaluate('navigator.clipboard.readText()'));
    // Nothing has been copied yet.
    return text === '' ? text : JSON.parse(text);
  };
  await expect.poll(copied).toEqual({
    customer: { email: '[hidden]', name: 'Ann', card_number: '[hidden]' },
    items: [{ serial: '[hidden]' }, { serial: '[hidden]' }],
    password: '[hidden]',
  });
  await hidden.first().click();
  await expect(hidden).toHaveCount(4);
  await expect(tree).toContainText('ann@example.com');
  await expect(tree).not.toContainText('4111');
  await tree.getByRole('button', { name: 'Copy with hidden values' }).click();
  await expect.poll(copied).toEqual(payload);
  // What was shown of one job does not show of the next one.
  await page.getByRole('link', { name: `…${child.id.slice(-8)}` }).click();
  await expect(page.getByRole('heading', { name: `Job …${child.id.slice(-8)}` })).toBeVisible();
  await expect(tree).toContainText('"Ann"');
  await expect(tree).not.toContainText('ann@example.com');
  expect(problems).toEqual([]);
});

test('every value hides while the paths of the organization cannot be read', async ({ page, open, organization }) => {
  const { id } = await organization.client.jobs.create({ queueName: 'emails', payload: { plain: 'in the open' } });
  const route = `**/api/v1/organizations/${organization.id}`;
  await page.route(route, (request) => request.abort());
  await open(`/jobs/${id}`);
  const tree = page.getByRole('group', { name: 'Payload' });
  await expect(tree.getByRole('button', { name: 'hidden · show' })).toHaveCount(1);
  await expect(tree).not.toContainText('in the open');
  await page.unroute(route);
  await expect(tree).toContainText('in the open');
});
