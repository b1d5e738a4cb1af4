import type { Command } from 'commander';
import { Failure } from '../errors.js';
import { pagesByOffset } from '../io/pages.js';
import type { Act, Cli } from '../session/cli.js';
import { integer } from './options.js';

/** `spooled members`. */
export function addMembers(program: Command, act: Act): void {
  program
    .command('members')
    .description('list the people of the organization')
    .option('--limit <n>', 'rows at most', integer(1, 10_000), 100)
    .action(act(list));
}

async function list({ client, out, call }: Cli, { limit }: { limit: number }): Promise<void> {
  const [organization] = await client.organizations.list({ limit: 1 }, call);
  if (!organization) throw new Failure('There is no organization of this key');
  const pages = pagesByOffset((page) => client.organizations.members(organization.id, page, call), { limit });
  await out.list(pages, { name: 'name', email: 'email', role: 'role', since: 'joinedAt' });
}
