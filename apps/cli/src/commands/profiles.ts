import type { Command } from 'commander';
import { UsageError } from '../errors.js';
import { confirm, readSecret } from '../io/prompt.js';
import type { Add, Cli } from '../session/cli.js';
import { connect, type TargetOptions, validUrl } from '../session/connect.js';
import { profileOf, profilesFile, readProfiles, writeProfiles } from '../session/profiles.js';
import { yesOption } from './options.js';

/** Login and profiles: servers with their keys, in a file that only its owner may read. */
export function addProfiles(program: Command, add: Add): void {
  add(
    program,
    'login',
    'check a key and keep it in a profile; the key is read from the terminal or standard input',
    login,
  );
  add(program, 'logout', 'remove the profile and its key', logout).addOption(yesOption());
  add(program, 'whoami', 'show the server, the profile and the organization', whoami);
  const profiles = program.command('profiles').description('servers and their keys');
  add(profiles, 'list', 'list the profiles, without their keys', listProfiles);
  add(profiles, 'use <name>', 'make a profile the default', useProfile);
}

async function login({ io, out, call }: Cli, { profile, url }: TargetOptions): Promise<void> {
  const file = profilesFile(io.env);
  const stored = readProfiles(file);
  const name = profile ?? io.env.SPOOLED_PROFILE ?? 'default';
  if (!/^[\w.-]{1,64}$/.test(name))
    throw new UsageError(`"${name}" is no name of a profile: use letters, digits, - _ .`);
  const server = validUrl(url ?? io.env.SPOOLED_URL ?? profileOf(stored, name)?.url ?? 'http://127.0.0.1:8080');
  if (isReadableOnTheWay(server)) out.note(`Warning: ${server} is not encrypted, so others can read the key.`);
  const apiKey = await readSecret(io, `API key for ${server}: `);
  if (apiKey === '') throw new UsageError('There was no key: type it, or send it on standard input');
  const [organization] = await connect({ url: server, apiKey, profile: name }).organizations.list({ limit: 1 }, call);
  writeProfiles(file, { current: name, profiles: { ...stored.profiles, [name]: { url: server, apiKey } } });
  await out.item(
    { profile: name, url: server, organization },
    {
      Profile: name,
      Server: server,
      Organization: organization?.name,
    },
  );
}

const isReadableOnTheWay = (server: string): boolean => {
  const { protocol, hostname } = new URL(server);
  return protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
};

async function logout({ io, out }: Cli, { profile, yes }: TargetOptions & { yes?: boolean }): Promise<void> {
  const file = profilesFile(io.env);
  const stored = readProfiles(file);
  const { current } = stored;
  const name = profile ?? io.env.SPOOLED_PROFILE ?? current;
  if (name === null || !profileOf(stored, name)) throw new UsageError(`There is no profile "${name ?? 'default'}"`);
  await confirm(io, `Remove profile ${name} and its key?`, yes);
  const { [name]: _removed, ...left } = stored.profiles;
  writeProfiles(file, { current: current === name ? null : current, profiles: left });
  out.note(`Removed profile ${name}. The key stays valid until it is revoked.`);
}

async function whoami({ client, target, out, call }: Cli): Promise<void> {
  const [organization] = await client.organizations.list({ limit: 1 }, call);
  await out.item(
    { url: target.url, profile: target.profile, organization },
    {
      Server: target.url,
      Profile: target.profile ?? 'none (SPOOLED_API_KEY)',
      Organization: organization?.name,
      Id: organization?.id,
      Plan: organization?.planTier,
    },
  );
}

async function listProfiles({ io, out }: Cli): Promise<void> {
  const { current, profiles } = readProfiles(profilesFile(io.env));
  const rows = Object.entries(profiles).map(([name, { url }]) => ({ name, url, isCurrent: name === current }));
  await out.rows(rows, {
    name: 'name',
    default: (row) => (row.isCurrent ? 'yes' : ''),
    server: 'url',
  });
}

async function useProfile({ io, out }: Cli, name: string): Promise<void> {
  const file = profilesFile(io.env);
  const stored = readProfiles(file);
  if (!profileOf(stored, name)) throw new UsageError(`There is no profile "${name}"`);
  writeProfiles(file, { ...stored, current: name });
  out.note(`Commands use profile ${name} now.`);
  await Promise.resolve();
}
