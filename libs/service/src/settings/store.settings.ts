import { checkedText, integer, postgresUrl, setting } from '@spooled/platform';
import { parseRedisUrl, parseShards } from '@spooled/transport';
import { z } from 'zod';

/** PostgreSQL connections of a process. */
export const databaseSettings = {
  DATABASE_URL: setting(postgresUrl(), 'PostgreSQL as role spooled_app, or as a role that may switch to it.'),
  DATABASE_SYSTEM_URL: setting(postgresUrl().optional(), 'PostgreSQL as role spooled_system; unset = DATABASE_URL.'),
  DATABASE_MAX_CONNECTIONS: setting(
    integer({ min: 1, max: 1000 }).default(25),
    'Maximum connections for tenant transactions; connections for system tasks are additional.',
  ),
  DATABASE_MIN_CONNECTIONS: setting(integer({ min: 0, max: 1000 }).default(5), 'Minimum connections kept open.'),
  DATABASE_ACQUIRE_TIMEOUT_SECS: setting(
    integer({ min: 1, max: 300 }).default(30),
    'Maximum wait for a free connection in seconds; then 503.',
  ),
  DATABASE_QUERY_TIMEOUT_MS: setting(
    integer({ min: 1500, max: 60_000 }).default(3000),
    'Maximum wait for a response of PostgreSQL; then the connection is replaced and the work runs again. Statements time out half a second earlier; retention, partitions and gauges have no timeout.',
  ),
};

/** A PostgreSQL replica for reads. */
export const replicaSettings = {
  DATABASE_REPLICA_URL: setting(
    postgresUrl().optional(),
    'Streaming replica of PostgreSQL, as role spooled_app: answers lists and counts of jobs, history, deliveries, schedule runs, workflows and the audit log. Unset = the primary does.',
  ),
  DATABASE_REPLICA_MAX_LAG_MS: setting(
    integer({ min: 100, max: 60_000 }).default(1000),
    'How far the replica may be behind; the primary answers beyond that.',
  ),
};

/** Wake-ups of embedded processes. */
export const wakeupSettings = {
  DATABASE_LISTEN_URL: setting(
    postgresUrl().optional(),
    'PostgreSQL itself, not PgBouncer, as role spooled_app: one connection on which jobs of embedded processes wake waiting claims. Unset = DATABASE_URL; if that leads through a pooler, they find these jobs by polling.',
  ),
};

/** Redis servers. */
export const redisSettings = {
  REDIS_URL: setting(
    checkedText('Redis URL', parseRedisUrl).optional(),
    'Redis: redis://…, redis+sentinel://user:password@host:port,host:port/master/db?sentinel_password=… or redis+cluster://user:password@host:port,host:port?partitions=6; rediss… with TLS. Unset = no Redis: each process executes its own commands, and there are no live events.',
  ),
  REDIS_SHARDS: setting(
    checkedText('Redis URLs', parseShards).optional(),
    'Several Redis servers, comma list of URLs as in REDIS_URL or name=URL; unset = REDIS_URL alone.',
  ),
};

/** How a service executes the commands of its callers. */
export const commandSettings = {
  ENGINE_PATH: setting(
    z.enum(['auto', 'transport', 'direct']).default('auto'),
    'auto: on an engine while one is alive, otherwise in this process. transport: only on engines. direct: only in this process.',
  ),
  COMMAND_TIMEOUT_MS: setting(
    integer({ min: 100, max: 60_000 }).default(10_000),
    'Timeout of a command; an engine drops commands that have timed out.',
  ),
  COMMAND_BACKLOG_LIMIT_MS: setting(
    integer({ min: 100, max: 60_000 }).default(2000),
    'Age of the oldest waiting command above which organizations with more than their share of the waiting commands get 503; all do above half of COMMAND_TIMEOUT_MS.',
  ),
};
