import { integer, setting, url } from '@spooled/platform';
import { z } from 'zod';

/** Where PostgreSQL is and how many connections a process may hold. */
export const databaseSettings = {
  DATABASE_URL: setting(url(), 'PostgreSQL as role spooled_app, or as a role that may switch to it.'),
  DATABASE_SYSTEM_URL: setting(url().optional(), 'PostgreSQL as role spooled_system; unset = DATABASE_URL.'),
  DATABASE_MAX_CONNECTIONS: setting(
    integer({ min: 1, max: 1000 }).default(25),
    'Most connections for work of single tenants; those for maintenance come on top.',
  ),
  DATABASE_MIN_CONNECTIONS: setting(integer({ min: 0, max: 1000 }).default(5), 'Connections kept open.'),
  DATABASE_ACQUIRE_TIMEOUT_SECS: setting(
    integer({ min: 1, max: 300 }).default(30),
    'Longest wait for a free connection.',
  ),
  DATABASE_QUERY_TIMEOUT_MS: setting(
    integer({ min: 1500, max: 60_000 }).default(3000),
    'Longest wait for an answer of PostgreSQL; then the connection is replaced and the work run again. The server ends statements half a second earlier.',
  ),
};

/** Where Redis is. */
export const redisSettings = {
  REDIS_URL: setting(
    url(/^rediss?$/).optional(),
    'Redis; unset = none: commands run in the process that received them, live events are not sent.',
  ),
  REDIS_SHARDS: setting(
    z.string().optional(),
    'Several Redis servers, comma list of redis://… or name=redis://…; unset = REDIS_URL alone.',
  ),
};

/** How a process that receives commands gets them run. */
export const commandSettings = {
  ENGINE_PATH: setting(
    z.enum(['auto', 'transport', 'direct']).default('auto'),
    'auto: by an engine while one is alive, else in this process. transport or direct: only that way.',
  ),
  COMMAND_TIMEOUT_MS: setting(
    integer({ min: 100, max: 60_000 }).default(10_000),
    'How long a caller waits for a command; one that is older is dropped, never run late.',
  ),
  COMMAND_BACKLOG_LIMIT_MS: setting(
    integer({ min: 100, max: 60_000 }).default(2000),
    'Age of the oldest waiting command above which new ones are answered with 503.',
  ),
};
