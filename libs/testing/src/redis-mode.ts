import { startRedis, type TestRedis } from './test-redis.js';
import { startRedisCluster } from './test-redis-cluster.js';
import { startSentinel } from './test-sentinel.js';

/** How a stack gets its Redis. `none`: without Redis, and so without engines and realtime, which need it. */
const redisModes = {
  one: (): Promise<TestRedis | null> => startRedis({ persistent: true }),
  sentinel: startSentinel,
  cluster: startRedisCluster,
  none: () => Promise.resolve(null),
};
export type RedisMode = keyof typeof redisModes;

/** @returns null in mode `none` */
export const startRedisIn = (mode: RedisMode): Promise<TestRedis | null> => redisModes[mode]();

/**
 * What stacks use unless their spec says otherwise: E2E_REDIS, or `one`.
 *
 * @throws Error when E2E_REDIS names no mode
 */
export function defaultRedisMode(): RedisMode {
  const mode = process.env.E2E_REDIS || 'one';
  if (!Object.hasOwn(redisModes, mode))
    throw new Error(`E2E_REDIS must be one of ${Object.keys(redisModes).join(', ')}`);
  return mode as RedisMode;
}

/**
 * `it` and `describe` of tests that need Redis, an engine or realtime: a run with E2E_REDIS=none leaves them out.
 *
 * @param _reason what the test needs them for; for readers only
 */
export const needsRedis = (_reason: string): { it: jest.It; describe: jest.Describe } =>
  defaultRedisMode() === 'none' ? { it: it.skip, describe: describe.skip } : { it, describe };
