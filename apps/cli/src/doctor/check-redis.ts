import { redisProblem } from '@spooled/domain';
import { Redis } from 'ioredis';
import { type Finding, Findings, patienceMs } from './finding.js';

const oldestVersion = 7;

/** Checks the server of REDIS_URL: reachable, version, eviction, persistence. */
export async function checkRedis(url: string | undefined): Promise<Finding[]> {
  const found = new Findings('Redis');
  if (!url) return found.skipped('REDIS_URL is not set: services run without Redis, and without live events').all;
  const parsed = URL.parse(url);
  if (parsed && /^rediss?\+(sentinel|cluster):$/.test(parsed.protocol))
    return found.skipped('REDIS_URL names a Sentinel or a Cluster: check each server with its own redis:// URL').all;
  if (!parsed || !/^rediss?:$/.test(parsed.protocol))
    return found.problem('REDIS_URL is no URL of a Redis server', 'write redis://:password@host:6379/0').all;
  const client = new Redis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    enableReadyCheck: false,
    connectTimeout: patienceMs,
    commandTimeout: patienceMs,
  });
  // `connect` says only that the connection was closed.
  let reason: Error | undefined;
  client.on('error', (error: Error) => (reason ??= error));
  try {
    await client.connect();
    checkInfo(await client.info(), found, parsed.host);
  } catch (error) {
    found.explain(redisProblem(reason ?? (error as Error), { setting: 'REDIS_URL', url }));
  } finally {
    client.disconnect();
  }
  return found.all;
}

function checkInfo(text: string, found: Findings, host: string): void {
  const info = new Map(text.split(/\r?\n/).map((line) => line.split(/:(.*)/s).slice(0, 2) as [string, string]));
  const version = info.get('valkey_version') ?? info.get('redis_version') ?? '';
  const name = info.has('valkey_version') ? 'Valkey' : 'Redis';
  if (Number.parseInt(version) < oldestVersion) {
    found.problem(
      `${name} at ${host} has version ${version}, and Spooled needs ${oldestVersion} or newer`,
      'upgrade it',
    );
    return;
  }
  found.ok(`${name} ${version} answers at ${host}`);
  const policy = info.get('maxmemory_policy');
  if (policy !== undefined && policy !== 'noeviction')
    found.problem(
      `Redis may drop commands when its memory is full (maxmemory-policy ${policy})`,
      'set maxmemory-policy noeviction',
    );
  if (info.get('aof_last_write_status') === 'err')
    found.problem(`Redis at ${host} cannot write to its disk, so it refuses commands`, 'free space on that disk');
  if (info.get('aof_enabled') === '0')
    found.warning('Redis forgets commands that wait when it restarts (appendonly no)', 'set appendonly yes');
}
