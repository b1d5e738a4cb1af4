import { parseArgs } from 'node:util';
import { Spooled } from '@spooled/sdk';
import { localSecret, localUrl } from './local-system.js';
import { retryingClient } from './retrying-client.js';
import { SeededTenant } from './seed/seeded-tenant.js';
import { type SeedTenant, tenants } from './seed/tenants.js';

const usage = `npm run seed -- [--url URL] [--admin-key KEY] [--minutes N]
  --url        base URL of a running system (default: the local one that runs)
  --admin-key  its administrator's key      (default: the local system's)
  --minutes    how long to run a load       (default: 60, which fills the charts of an hour; 0 = no load)`;

const keyName = 'npm run seed';
const say = (line: unknown): void => void process.stdout.write(`${String(line)}\n`);

/** Three tenants with failures, workflows, schedules and a push queue that is down, by the public REST interface only. */
const { url, adminKey, minutes } = readArguments();
const { admin } = new Spooled({ baseUrl: url, adminKey });
const seeded = await Promise.all(tenants.map(seed));
tenants.forEach(({ name }, i) => say(`${name}: ${url}/console, API key ${seeded[i]!.apiKey}`));

if (minutes > 0) await runLoad();
await Promise.all(seeded.map(({ tenant }) => tenant.stop()));

/** The scheduler samples series as time passes, and no route writes them. */
async function runLoad(): Promise<void> {
  say(`Running a load for ${minutes} minutes, so that charts have data. Ctrl-C ends it.`);
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
  const end = AbortSignal.any([interrupted.signal, AbortSignal.timeout(minutes * 60_000)]);
  await Promise.all(seeded.map(({ tenant }) => tenant.load(end)));
}

async function seed(tenant: SeedTenant): Promise<{ apiKey: string; tenant: SeededTenant }> {
  const apiKey = await keyOf(tenant);
  const seededTenant = new SeededTenant(tenant, retryingClient(url, apiKey), say);
  await seededTenant.prepare();
  return { apiKey, tenant: seededTenant };
}

/** A new key, because existing ones cannot be read. That of an earlier run is revoked, which ends its load. */
async function keyOf({ slug, name }: SeedTenant): Promise<string> {
  const { organizations } = await admin.organizations({ search: slug });
  const existing = organizations.find((organization) => organization.slug === slug);
  const { id } = existing ?? (await admin.createOrganization({ slug, name, planTier: 'enterprise' })).organization;
  const created = await admin.createApiKey(id, { name: keyName });
  const { apiKeys } = new Spooled({ baseUrl: url, apiKey: created.key });
  const active = (await apiKeys.list()).filter(({ isActive }) => isActive);
  const earlier = active.filter((key) => key.name === keyName && key.id !== created.id);
  for (const key of earlier) await apiKeys.revoke(key.id);
  return created.key;
}

function readArguments(): { url: string; adminKey: string; minutes: number } {
  try {
    const options = {
      url: { type: 'string' },
      'admin-key': { type: 'string' },
      minutes: { type: 'string', default: '60' },
    } as const;
    const { values } = parseArgs({ options });
    const minutes = Number(values.minutes);
    if (!(minutes >= 0)) throw new Error(`--minutes must be a number, not "${values.minutes}"`);
    return {
      url: (values.url ?? localUrl()).replace(/\/$/, ''),
      adminKey: values['admin-key'] ?? localSecret('adminApiKey'),
      minutes,
    };
  } catch (error) {
    say(`${(error as Error).message}\n\n${usage}`);
    process.exit(2);
  }
}
