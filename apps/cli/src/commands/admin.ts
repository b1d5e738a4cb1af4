import { type Body, Spooled } from '@spooled/sdk';
import { type Command, Option } from 'commander';
import { Failure, UsageError } from '../errors.js';
import { pagesByOffset } from '../io/pages.js';
import { confirm } from '../io/prompt.js';
import type { Add, Cli } from '../session/cli.js';
import { limitOption, yesOption } from './options.js';

type Plan = NonNullable<Body<'POST /api/v1/admin/organizations'>['planTier']>;
const plans: Plan[] = ['free', 'starter', 'pro', 'enterprise'];

/** `spooled admin`: the whole installation, with the key of its administrator. */
export function addAdmin(program: Command, add: Add): void {
  const admin = program
    .command('admin')
    .description('all organizations and the services; needs SPOOLED_ADMIN_KEY')
    .addHelpText('after', '\nThe key comes from SPOOLED_ADMIN_KEY alone and is kept nowhere.');
  add(admin, 'services', 'list the processes of the services with their versions', services);
  add(admin, 'capacity', 'show what is used of the limits of PostgreSQL and Redis', capacity);
  add(admin, 'check-isolation', 'check now that organizations are isolated in the database', checkIsolation);
  const organizations = admin.command('organizations').description('organizations with their plans');
  add(organizations, 'list', 'list organizations, the newest first', list)
    .option('--search <text>', 'in name and slug')
    .addOption(limitOption(100));
  add(organizations, 'get <id>', 'show an organization with its usage', async (cli, id: string) =>
    cli.out.item(await administrator(cli).organization(id, cli.call)),
  );
  add(
    organizations,
    'create <name> <slug>',
    'create an organization and print its first key: it is not shown again',
    create,
  ).addOption(new Option('--plan <plan>').choices(plans));
  add(
    organizations,
    'set-plan <id>',
    'change the plan of an organization, which takes effect at once',
    setPlan,
  ).argument('<plan>', plans.join(', '));
  add(organizations, 'delete <id>', 'revoke the keys of an organization and keep its data', remove).addOption(
    yesOption(),
  );
}

/** @throws UsageError without the key */
function administrator({ io, target }: Cli): Spooled['admin'] {
  const adminKey = io.env.SPOOLED_ADMIN_KEY;
  if (!adminKey) throw new UsageError(`There is no key of an administrator for ${target.url}: set SPOOLED_ADMIN_KEY`);
  return new Spooled({ baseUrl: target.url, adminKey }).admin;
}

async function services(cli: Cli): Promise<void> {
  const found = await administrator(cli).services(cli.call);
  await cli.out.rows(
    found.services.flatMap(({ service, processes }) => processes.map((process) => ({ service, ...process }))),
    {
      service: 'service',
      host: 'host',
      version: 'version',
      alive: (process) => (process.isAlive ? 'yes' : 'no'),
      started: 'startedAt',
      'last seen': 'lastSeen',
    },
  );
}

async function capacity(cli: Cli): Promise<void> {
  const { limits } = await administrator(cli).capacity(cli.call);
  await cli.out.rows(limits, {
    limit: 'name',
    used: 'used',
    of: 'limit',
    unit: 'unit',
    share: (limit) => (limit.share === null ? null : `${Math.round(limit.share * 100)} %`),
  });
}

async function checkIsolation(cli: Cli): Promise<void> {
  const check = await administrator(cli).checkIsolation(cli.call);
  await cli.out.item(check);
  if (!check.passed) throw new Failure('Organizations are not isolated');
  if (check.tablesNotChecked.length > 0) throw new Failure('Some tables were not checked: check again');
}

async function list(cli: Cli, { search, limit }: { search?: string; limit: number }): Promise<void> {
  const admin = administrator(cli);
  const read = async (page: { limit: number; offset: number }) => {
    const { organizations, total } = await admin.organizations({ ...page, search }, cli.call);
    return Object.assign(organizations, { hasMore: page.offset + organizations.length < total, nextCursor: null });
  };
  await cli.out.list(pagesByOffset(read, { limit }), {
    id: 'id',
    name: 'name',
    plan: 'planTier',
    'jobs today': (organization) => organization.usage.jobsToday,
    'active jobs': (organization) => organization.usage.activeJobs,
    created: 'createdAt',
  });
}

async function create(cli: Cli, name: string, slug: string, { plan }: { plan?: Plan }): Promise<void> {
  const created = await administrator(cli).createOrganization({ name, slug, planTier: plan }, cli.call);
  await cli.out.item(created, {
    Id: created.organization.id,
    Plan: created.organization.planTier,
    Key: created.apiKey.key,
  });
}

async function setPlan(cli: Cli, id: string, plan: string): Promise<void> {
  const planTier = plans.find((name) => name === plan);
  if (!planTier) throw new UsageError(`"${plan}" is no plan: use ${plans.join(', ')}`);
  const organization = await administrator(cli).updateOrganization(id, { planTier }, cli.call);
  await cli.out.item(organization, { Id: organization.id, Plan: organization.planTier });
}

async function remove(cli: Cli, id: string, { yes }: { yes?: boolean }): Promise<void> {
  const admin = administrator(cli);
  const { name } = await admin.organization(id, cli.call);
  await confirm(cli.io, `Delete organization "${name}"? Its keys end at once, its data stay.`, yes);
  await admin.deleteOrganization(id, cli.call);
  cli.out.note(`Deleted organization ${id}.`);
}
