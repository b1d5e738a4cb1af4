export interface HostPort {
  host: string;
  port: number;
}

/** How to log in to the Redis servers, and whether connections are encrypted. */
export interface RedisAccess {
  username?: string;
  password?: string;
  tls: boolean;
}

/** One server, or an address that behaves like one. */
export interface SingleAddress {
  kind: 'single';
  url: string;
}

/** A primary that the sentinels name, and its replicas. */
export interface SentinelAddress extends RedisAccess {
  kind: 'sentinel';
  sentinels: HostPort[];
  /** The name under which the sentinels monitor the primary. */
  master: string;
  db: number;
  sentinelUsername?: string;
  sentinelPassword?: string;
}

/** A Redis Cluster, used as `partitions` shards of one slot each. */
export interface ClusterAddress extends RedisAccess {
  kind: 'cluster';
  nodes: HostPort[];
  partitions: number;
}

export type RedisAddress = SingleAddress | SentinelAddress | ClusterAddress;

/** Two for each of three primaries, one for each of six. */
const defaultPartitions = 6;
const maxPartitions = 64;

const manyHosts = /^(rediss?)\+([a-z]+):\/\/(?:([^@/?#]*)@)?([^@/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/i;
const hostAndPort = /^(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i;
const expectedUrl =
  'must be redis://host:port, redis+sentinel://host:port,host:port/master or redis+cluster://host:port,host:port (rediss… with TLS), with special characters of the password percent-encoded';

interface UrlParts {
  access: RedisAccess;
  hosts: string;
  path: string[];
  query: URLSearchParams;
}

/**
 * Parses the URL of a Redis, `redis://host:port/db`, of the sentinels of one,
 * `redis+sentinel://user:password@host:port,host:port/master/db?sentinel_password=…`, or of nodes of a cluster,
 * `redis+cluster://user:password@host:port,host:port?partitions=6`; `rediss…` with TLS.
 * @throws Error naming the part that is wrong; the message contains no part of the URL, which may be a password
 */
export function parseRedisUrl(url: string): RedisAddress {
  if (/^rediss?:\/\//i.test(url)) return parseSingle(url);
  const [, scheme, mode, credentials, hosts, path, query] = manyHosts.exec(url) ?? [];
  const parse = mode && parsers.get(mode.toLowerCase());
  if (!parse) throw new Error(expectedUrl);
  return parse({
    access: { ...parseCredentials(credentials), tls: scheme!.toLowerCase() === 'rediss' },
    hosts: hosts!,
    path: path ? path.split('/') : [],
    query: new URLSearchParams(query),
  });
}

function parseSingle(url: string): SingleAddress {
  if (!URL.canParse(url)) throw new Error(expectedUrl);
  if (new URL(url).hostname.includes(','))
    throw new Error('redis:// takes one host; several need redis+sentinel:// or redis+cluster://');
  return { kind: 'single', url };
}

function parseSentinel({ access, hosts, path, query }: UrlParts): SentinelAddress {
  const [master = '', db = '0', ...rest] = path;
  if (master === '') throw new Error('the name of the master is missing after the sentinels: …/master');
  if (!/^\d{1,4}$/.test(db) || rest.length > 0) {
    throw new Error('the path must be /master or /master/db, db being a number');
  }
  const sentinels = parseHosts(hosts, 26_379, 'sentinel');
  const { sentinel_username: sentinelUsername, sentinel_password: sentinelPassword } = parametersOf(query, [
    'sentinel_username',
    'sentinel_password',
  ]);
  return {
    kind: 'sentinel',
    ...access,
    sentinels,
    master: decoded(master, 'the name of the master'),
    db: Number(db),
    ...(sentinelUsername && { sentinelUsername }),
    ...(sentinelPassword && { sentinelPassword }),
  };
}

function parseCluster({ access, hosts, path, query }: UrlParts): ClusterAddress {
  if (path.some((part) => part !== '' && part !== '0')) throw new Error('a Redis Cluster has only database 0');
  const nodes = parseHosts(hosts, 6379, 'node');
  const { partitions = String(defaultPartitions) } = parametersOf(query, ['partitions']);
  if (!/^\d{1,3}$/.test(partitions) || Number(partitions) < 1 || Number(partitions) > maxPartitions) {
    throw new Error(`partitions must be a whole number from 1 to ${maxPartitions}`);
  }
  return { kind: 'cluster', ...access, nodes, partitions: Number(partitions) };
}

const parsers = new Map<string, (parts: UrlParts) => SentinelAddress | ClusterAddress>([
  ['sentinel', parseSentinel],
  ['cluster', parseCluster],
]);

function parseHosts(list: string, defaultPort: number, what: string): HostPort[] {
  return list.split(',').map((entry, index) => {
    const [, host, port = String(defaultPort)] = hostAndPort.exec(entry) ?? [];
    const where = `${what} ${index + 1}`;
    if (host === undefined) throw new Error(`${where} must be host or host:port`);
    if (Number(port) < 1 || Number(port) > 65_535) throw new Error(`the port of ${where} must be from 1 to 65535`);
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
  });
}

function parseCredentials(text: string | undefined): Omit<RedisAccess, 'tls'> {
  if (!text) return {};
  const colon = text.indexOf(':');
  const username = decoded(colon < 0 ? text : text.slice(0, colon), 'the user name');
  const password = colon < 0 ? '' : decoded(text.slice(colon + 1), 'the password');
  return { ...(username && { username }), ...(password && { password }) };
}

function parametersOf(query: URLSearchParams, known: string[]): Record<string, string | undefined> {
  for (const name of query.keys()) {
    if (!known.includes(name)) throw new Error(`only these parameters are known after "?": ${known.join(', ')}`);
  }
  return Object.fromEntries(query);
}

function decoded(text: string, what: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error(`${what} has a "%" that is not percent-encoded`);
  }
}
