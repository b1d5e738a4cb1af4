import { type Body, Spooled } from '@spooled/sdk';
import { type Command, Option } from 'commander';
import { Failure, UsageError } from '../errors.js';
import { pagesByOffset } from '../io/pages.js';
import { confirm } from '../io/prompt.js';
import type { Act, Cli } from '../session/cli.js';
import { integer } from './options.js';

type Plan = NonNullable<Body<'POST /api/v1/admin/organizations'>['planTier']>;
const plans: Plan[] = ['free', 'starter', 'pro', 'enterprise'];

/** `spooled admin`: the whole installation, with the key of its administrator. */
export function addAdmin(program: Command, act: Act): void {
  const admin = program
    .command('admin')
    .description('all organizations and the services; needs SPOOLED_ADMIN_KEY')
    .addHelpText('after', '\nThe key comes from SPOOLED_ADMIN_KEY alone and is kept nowhere.');
  admin.command('services').description('list the processes of the services with their versions').action(act(services));
  admin
    .command('capacity')
    .description('show what is used of the limits of PostgreSQL and Redis')
    .action(act(capacity));
  admin
    .command('check-isolation')
    .description('check now that organizations are isolated in the database')
    .action(act(checkIsolation));
  const organizations = admin.command('organizations').description('organizations with their plans');
  organizations
    .command('list')
    .description('list organizations, the newest first')
    .option('--search <text>', 'in name and slug')
    .option('--limit <n>', 'rows at most', integer(1, 10_000), 100)
    .action(act(list));
  organizations
    .command('get <id>')
    .description('show an organization with its usage')
    .action(act(async (cli, id: string) => cli.out.item(await administrator(cli).organization(id, cli.call))));
  organizations
    .command('create <name> <slug>')
    .description('create an organization and print its first key: it is not shown again')
    .addOption(new Option('--plan <plan>').choices(plans))
    .action(act(create));
  organizations
    .command('set-plan <id>')
    .argument('<plan>', plans.join(', '))
    .description('change the plan of an organization, which takes effect at once')
    .action(act(setPlan));
  organizations
    .command('delete <id>')
    .description('revoke the keys of an organization and keep its data')
    .option('-y, --yes', 'do not ask')
    .action(act(remove));
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
