import { Spooled } from '@spooled/sdk';
import { eventually } from '@spooled/testing';
import { startSeed } from './demo-process.js';
import { useStack } from './use-rest.js';

const stack = useStack();

/** Their schedules and pushed jobs would keep the shared stack busy. */
afterAll(async () => {
  const { admin } = new Spooled({ baseUrl: stack.baseUrl, adminKey: stack.adminKey });
  const { organizations } = await admin.organizations({ search: 'seed-' });
  for (const { id } of organizations) await admin.eraseOrganization(id);
});

/** Runs it and returns a client of each tenant, by the keys that it prints. */
async function seed(): Promise<Spooled[]> {
  const { ended, output } = startSeed(stack);
  const code = await ended;
  expect([code, output()]).toEqual([0, expect.not.stringContaining('Error')]);
  const keys = [...output().matchAll(/API key (sk_\S+)/g)].map(([, key]) => key!);
  expect(keys).toHaveLength(3);
  return keys.map((apiKey) => new Spooled({ baseUrl: stack.baseUrl, apiKey }));
}

/** What a run must not create twice. */
async function contentOf(client: Spooled) {
  const workflows = await client.workflows.list();
  const schedules = await client.schedules.list();
  const runs = async () => (await client.schedules.list()).reduce((sum, { runCount }) => sum + runCount, 0);
  // A schedule may come due between the two runs of the seed, and between two reads.
  const jobs = await eventually(async () => {
    const scheduled = await runs();
    const { total } = await client.jobs.stats();
    expect(await runs()).toBe(scheduled);
    return total - scheduled;
  });
  return {
    failures: (await client.deadLetters.groups()).map(({ sample, count }) => [sample.error, count]).sort(),
    workflows: workflows.map(({ name, status }) => [name, status]),
    schedules: schedules.map(({ name, isActive }) => [name, isActive]).sort(),
    keys: (await client.apiKeys.list()).filter(({ isActive }) => isActive).length,
    jobs,
  };
}

/** Receivers of queues whose circuit is open. */
async function openReceivers(client: Spooled): Promise<string[]> {
  const queues = await client.queues.list();
  const details = await Promise.all(queues.map(({ queueName }) => client.queues.get(queueName)));
  return details.filter(({ receiver }) => receiver?.state === 'open').map(({ queueName }) => queueName);
}

describe('npm run seed', () => {
  it('creates three tenants with four causes of failure, and a second run adds nothing', async () => {
    const first = await Promise.all((await seed()).map(contentOf));
    for (const { failures, workflows, schedules } of first) {
      expect(failures).toHaveLength(4);
      expect(workflows).toEqual([[expect.any(String), 'failed']]);
      expect(schedules.length).toBeGreaterThan(1);
    }
    const clients = await seed();
    expect(await Promise.all(clients.map(contentOf))).toEqual(first);
    for (const client of clients) await eventually(async () => expect(await openReceivers(client)).toHaveLength(1));
  });
});
