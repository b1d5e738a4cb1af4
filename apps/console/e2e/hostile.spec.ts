import { expect, signIn, test } from './setup/fixtures.js';

/** Runs if any text becomes part of the page's markup, or an address. */
const attack = '"><img src=x onerror="window.attacked=1"><script>window.attacked=1</script>';
const link = 'javascript:window.attacked=1';

test.describe('texts of other people', () => {
  test('are shown as texts, wherever they come from', async ({ page, open, organization: { client }, problems }) => {
    const queueName = 'hostile';
    const { id } = await client.jobs.create({
      queueName,
      payload: { job_type: attack, [attack]: attack, url: link, list: [attack] },
      tags: { [attack]: attack },
      idempotencyKey: attack,
      maxRetries: 0,
    });
    const { id: workerId } = await client.workers.register({ queueName, hostname: 'worker-1', metadata: { attack } });
    const [claimed] = await client.jobs.claim({ queueName, workerId, waitSeconds: 10 });
    await client.jobs.progress(id, { workerId, leaseId: claimed!.leaseId, progress: 50, message: attack });
    await client.jobs.fail(id, { workerId, leaseId: claimed!.leaseId, error: attack });
    await client.queues.pause(queueName, attack);
    await client.jobs.create({ queueName, payload: {} });

    await open('/');
    await expect(page.getByRole('region', { name: 'Problems' })).toContainText(attack);
    await page.getByRole('link', { name: queueName }).first().click();
    await expect(page.getByRole('table', { name: 'By type' })).toContainText(attack);
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    await expect(page.getByRole('table', { name: 'Jobs' })).toContainText(attack);
    await page.getByRole('link', { name: `…${id.slice(-8)}` }).click();
    await expect(page.getByRole('group', { name: 'Payload' })).toContainText('onerror');
    await expect(page.getByRole('table', { name: 'Attempts' })).toContainText(attack);
    await page.getByRole('button', { name: 'Edit and retry…' }).click();
    await expect(page.getByRole('textbox', { name: 'Payload (JSON)' })).toHaveValue(/onerror/);

    expect(await page.evaluate('window.attacked')).toBeUndefined();
    expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('of another organization are gone after a change of the user', async ({
    page,
    open,
    organization,
    stack,
    newOrganization,
  }) => {
    await organization.client.jobs.create({ queueName: 'secret-project', payload: {} });
    const other = await newOrganization();
    await other.client.jobs.create({ queueName: 'harmless', payload: {} });
    await open('/queues');
    await expect(page.getByRole('link', { name: 'secret-project' })).toBeVisible();
    await page.getByRole('button', { name: /^Signed in/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('API key', { exact: true }).fill(other.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Queues', exact: true }).click();
    await expect(page.getByRole('link', { name: 'harmless' })).toBeVisible();
    await expect(page.getByText('secret-project')).toHaveCount(0);
    await signIn(page, stack.baseUrl, { api_key: other.key });
    await page.goto(`${stack.baseUrl}/console/queues/secret-project`);
    await expect(page.getByText('This could not be loaded').first()).toBeVisible();
  });
});
