import type { Body } from '@spooled/sdk';
import { type Command, Option } from 'commander';
import { pagesByOffset } from '../io/pages.js';
import { confirm } from '../io/prompt.js';
import type { Add, Cli } from '../session/cli.js';
import { instant, limitOption, yesOption } from './options.js';

type Role = NonNullable<Body<'POST /api/v1/api-keys'>['role']>;

/** `spooled keys`. Only `create` prints a key: the new one, once. */
export function addKeys(program: Command, add: Add): void {
  const keys = program.command('keys').description('API keys of the organization');
  add(keys, 'list', 'list keys, without the keys themselves', list).addOption(limitOption(100));
  add(keys, 'create <name>', 'create a key and print it: it is not shown again', create)
    .addOption(new Option('--role <role>').choices(['admin', 'operator', 'worker', 'viewer']).makeOptionMandatory())
    .option('--queue <name...>', 'only for these queues')
    .option('--expires-at <time>', 'not valid after this time', instant);
  add(keys, 'revoke <id>', 'revoke a key at once', revoke).addOption(yesOption());
}

async function list({ client, out, call }: Cli, options: { limit: number }): Promise<void> {
  const pages = pagesByOffset((page) => client.apiKeys.list(page, call), options);
  await out.list(pages, {
    id: 'id',
    name: 'name',
    role: 'role',
    active: (key) => (key.isActive ? 'yes' : 'no'),
    'last used': 'lastUsed',
    expires: 'expiresAt',
    queues: (key) => key.queues.join(', ') || 'all',
  });
}

interface CreateOptions {
  role: Role;
  queue?: string[];
  expiresAt?: string;
}

async function create({ client, out, call }: Cli, name: string, { role, queue, expiresAt }: CreateOptions) {
  const key = await client.apiKeys.create({ name, role, queues: queue, expiresAt }, call);
  await out.item(key, { Id: key.id, Role: key.role, Key: key.key });
}

async function revoke({ client, out, io, call }: Cli, id: string, { yes }: { yes?: boolean }): Promise<void> {
  const { name } = await client.apiKeys.get(id, call);
  await confirm(io, `Revoke key "${name}"?`, yes);
  await client.apiKeys.revoke(id, call);
  out.note(`Revoked key ${id}.`);
}
