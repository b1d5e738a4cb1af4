import { Redis } from 'ioredis';
import type pg from 'pg';
import type { Settings } from '../report.js';

/** Required for durable commits; without them the results would not be comparable. */
const durable = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
const alsoReported = ['wal_compression', 'shared_buffers', 'max_wal_size', 'max_connections'];

/** Versions and durability of the stores. @throws Error when PostgreSQL is not durable */
export async function describeStores(postgres: pg.Pool, redisUrl: string): Promise<Settings> {
  const names = ['server_version', ...Object.keys(durable), ...alsoReported];
  const { rows } = await postgres.query<{ name: string; setting: string }>(
    'SELECT name, current_setting(name) AS setting FROM pg_settings WHERE name = ANY ($1)',
    [names],
  );
  const found = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
  for (const [name, wanted] of Object.entries(durable)) {
    if (found[name] !== wanted)
      throw new Error(`PostgreSQL runs with ${name} = ${found[name]}: the bench needs ${wanted}`);
  }
  const { server_version: version, ...settings } = found;
  return { PostgreSQL: version ?? '', ...settings, ...(await describeRedis(redisUrl)) };
}

async function describeRedis(url: string): Promise<Settings> {
  const redis = new Redis(url, { maxRetriesPerRequest: 1 });
  redis.on('error', () => undefined);
  try {
    const info = await redis.info('server');
    const config = (await redis.config('GET', 'append*')) as string[];
    const setting = (name: string): string => config[config.indexOf(name) + 1] ?? '';
    return {
      Redis: /^redis_version:(\S+)/m.exec(info)?.[1] ?? '',
      appendonly: setting('appendonly'),
      appendfsync: setting('appendfsync'),
    };
  } finally {
    redis.disconnect();
  }
}
