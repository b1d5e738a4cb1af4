import { type RetryOptions, Spooled } from '@spooled/sdk';
import { UsageError } from '../errors.js';
import { profileOf, profilesFile, readProfiles } from './profiles.js';

/** Server and credential of a command, and where they come from. */
export interface Target {
  url: string;
  apiKey: string | undefined;
  /** The profile that the key comes from; null when it comes from the environment. */
  profile: string | null;
}

export interface TargetOptions {
  url?: string;
  profile?: string;
}

const localUrl = 'http://127.0.0.1:8080';

/**
 * The server and the key: options before the environment before the profile. The key of a profile goes to the server of that
 * profile only.
 * @throws UsageError for an unknown profile, or when the key of a profile would go to another server
 */
export function findTarget(env: NodeJS.ProcessEnv, options: TargetOptions): Target {
  const named = options.profile ?? env.SPOOLED_PROFILE;
  const url = options.url ?? env.SPOOLED_URL;
  if (options.profile === undefined && env.SPOOLED_API_KEY) {
    // The key would go to another server than that of the profile, which was named for a reason.
    if (env.SPOOLED_PROFILE && url === undefined)
      throw new UsageError('SPOOLED_PROFILE and SPOOLED_API_KEY contradict each other: unset one, or set SPOOLED_URL');
    return { url: validUrl(url ?? localUrl), apiKey: env.SPOOLED_API_KEY, profile: null };
  }
  const file = profilesFile(env);
  const stored = readProfiles(file);
  const name = named ?? stored.current;
  const profile = name === null ? undefined : profileOf(stored, name);
  if (named !== undefined && !profile)
    throw new UsageError(`There is no profile "${named}": run "spooled login --profile ${named}"`);
  if (!profile) return { url: validUrl(url ?? localUrl), apiKey: undefined, profile: null };
  if (url !== undefined && validUrl(url) !== validUrl(profile.url)) {
    throw new UsageError(
      `The key of profile "${name}" is for ${profile.url} and is not sent to ${url}: set SPOOLED_API_KEY, or log in to it under another --profile`,
    );
  }
  return { url: validUrl(profile.url), apiKey: profile.apiKey, profile: name };
}

/** @throws UsageError when there is no key for the target */
export function connect({ url, apiKey }: Target, options: { retry?: RetryOptions } = {}): Spooled {
  if (!apiKey) throw new UsageError(`There is no key for ${url}: run "spooled login", or set SPOOLED_API_KEY`);
  // A header of HTTP must not hold other characters.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new UsageError('The key holds characters that no key has');
  return new Spooled({ ...options, baseUrl: url, apiKey });
}

/** @throws UsageError for what is no HTTP address */
export function validUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError(`"${text}" is no URL of a server, such as ${localUrl}`);
  if (url.search || url.hash) throw new UsageError('The URL of a server holds no query and no fragment');
  if (/\/api(\/v\d+)?\/?$/.test(url.pathname)) throw new UsageError(`The URL of a server ends before /api: "${text}"`);
  if (url.username || url.password) throw new UsageError('The URL of a server holds no user and no password');
  return url.href.replace(/\/$/, '');
}
