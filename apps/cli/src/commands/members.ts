import type { Command } from 'commander';
import { Failure } from '../errors.js';
import { pagesByOffset } from '../io/pages.js';
import type { Add, Cli } from '../session/cli.js';
import { limitOption } from './options.js';

/** `spooled members`. */
export function addMembers(program: Command, add: Add): void {
  add(program, 'members', 'list the people of the organization', list).addOption(limitOption(100));
}

async function list({ client, out, call }: Cli, { limit }: { limit: number }): Promise<void> {
  const [organization] = await client.organizations.list({ limit: 1 }, call);
  if (!organization) throw new Failure('There is no organization of this key');
  const pages = pagesByOffset((page) => client.organizations.members(organization.id, page, call), { limit });
  await out.list(pages, { name: 'name', email: 'email', role: 'role', since: 'joinedAt' });
}
