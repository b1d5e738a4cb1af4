import { Redis, type RedisOptions, type Result } from 'ioredis';
import endLeases from '../leases/end-leases.lua';
import heartbeat from '../commands/heartbeat.lua';
import keepLeases from '../leases/keep-leases.lua';
import renewedLeases from '../leases/renewed-leases.lua';
import publishEvents from '../events/publish-events.lua';
import rateLimit from '../limits/rate-limit.lua';
import reportOutage from '../push/report-outage.lua';
import reportShortage from '../push/report-shortage.lua';
import reclaim from '../commands/reclaim.lua';
import renewLeases from '../leases/renew-leases.lua';
import renewStreamSlots from '../limits/renew-stream-slots.lua';
import shardState from '../commands/shard-state.lua';
import takeTokens from '../limits/take-tokens.lua';
import takeStreamSlot from '../limits/take-stream-slot.lua';
import { slotConnector } from './cluster-connector.js';
import type { SentinelAddress } from './redis-address.js';
import type { PartitionAddress, ShardAddress } from './shard-map.js';

declare module 'ioredis' {
  // The type parameter must have ioredis' own name for the declarations to merge.
  interface RedisCommander<Context> {
    heartbeat(engines: string, engineId: string, ttlMs: number): Result<number, Context>;
    shardState(stream: string, engines: string, group: string): Result<[number, number], Context>;
    reclaim(
      stream: string,
      group: string,
      consumer: string,
      idleMs: number,
      count: number,
      cursor: string,
    ): Result<[string, [string, string, number][]], Context>;
    rateLimit(
      numberOfKeys: number,
      ...keysAndArguments: (string | number)[]
    ): Result<[now: number, allowed: number, [0 | 1, number, number, number][]], Context>;
    publishEvents(
      recent: string,
      audience: string,
      channel: string,
      events: string,
      kept: string,
      batches: number,
      seconds: number,
      kind: string,
    ): Result<0 | 1, Context>;
    reportOutage(outage: string, pauseMs: number, keptMs: number): Result<null, Context>;
    reportShortage(shortage: string, code: string, figures: string, keptMs: number): Result<null, Context>;
    takeTokens(bucket: string, rate: number, capacity: number, wanted: number): Result<[number, number], Context>;
    takeStreamSlot(streams: string, id: string, leaseMs: number, limit: number): Result<0 | 1, Context>;
    renewStreamSlots(streams: string, leaseMs: number, ...ids: string[]): Result<null, Context>;
    renewLeases(numberOfKeys: number, ...keysAndArguments: (string | number)[]): Result<number[], Context>;
    renewedLeases(
      numberOfKeys: number,
      ...keysAndArguments: string[]
    ): Result<([leaseId: string, leftMs: number] | null)[], Context>;
    keepLeases(numberOfKeys: number, ...keysAndArguments: (string | number)[]): Result<null, Context>;
    endLeases(numberOfKeys: number, ...keysAndArguments: (string | number)[]): Result<null, Context>;
  }
}

/**
 * `commands`: request path, pipelined · `blocking`: waits inside Redis for entries · `channels`: publish/subscribe ·
 * `deliveries`: used by BullMQ.
 */
export type ConnectionRole = 'commands' | 'blocking' | 'channels' | 'deliveries';

type Address = ShardAddress['address'];

const firstRetryMs = 50;
const longestRetryMs = 1000;
/** A connection without a response for this long is closed. */
const socketTimeoutMs = 3000;
/** Longer than BullMQ waits inside Redis, which is 10 s. */
const workerSocketTimeoutMs = 15_000;
const connectTimeoutMs = 2000;
/** A sentinel accepts connections even if its process is suspended. */
const lookUpTimeoutMs = 1000;

const retryStrategy = (attempt: number): number => Math.min(firstRetryMs * 2 ** (attempt - 1), longestRetryMs);
/**
 * After a failover the old primary still responds, but is read-only or names the new one: reconnect to that one. A
 * cluster that is down is left until its nodes agree that it is up.
 */
const reconnectOnError = (error: Error): boolean => /^(READONLY|MOVED|CLUSTERDOWN) /.test(error.message);

/** Calls `onCommand` for each command that is written to the connection, not for those that fail at once. */
export function countCommands(redis: Redis, onCommand: () => void): void {
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    if (redis.status === 'ready') onCommand();
    return send(command, stream);
  };
}

/**
 * Opens a connection that fails fast: while Redis is down commands reject at once instead of queueing, and nothing is
 * resent after a reconnect. It reconnects indefinitely, after 50 ms to 1 s.
 */
export function openConnection(address: Address, role: ConnectionRole, connectionName: string): Redis {
  const options: RedisOptions = {
    connectionName: `${connectionName}-${role}`,
    connectTimeout: connectTimeoutMs,
    // ioredis starts this timer even for a closed socket, and the process would wait for it.
    disconnectTimeout: 200,
    socketTimeout: socketTimeoutMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    enableAutoPipelining: role === 'commands',
    reconnectOnError,
    retryStrategy,
    scripts: {
      heartbeat: { lua: heartbeat, numberOfKeys: 1 },
      shardState: { lua: shardState, numberOfKeys: 2 },
      reclaim: { lua: reclaim, numberOfKeys: 1 },
      publishEvents: { lua: publishEvents, numberOfKeys: 3 },
      rateLimit: { lua: rateLimit },
      reportOutage: { lua: reportOutage, numberOfKeys: 1 },
      reportShortage: { lua: reportShortage, numberOfKeys: 1 },
      takeTokens: { lua: takeTokens, numberOfKeys: 1 },
      takeStreamSlot: { lua: takeStreamSlot, numberOfKeys: 1 },
      renewStreamSlots: { lua: renewStreamSlots, numberOfKeys: 1 },
      renewLeases: { lua: renewLeases },
      renewedLeases: { lua: renewedLeases },
      keepLeases: { lua: keepLeases },
      endLeases: { lua: endLeases },
    },
  };
  // BullMQ refuses key prefixes and has an option of its own.
  const keyPrefix = role === 'deliveries' ? '' : keyPrefixOf(address);
  return connect(address, { ...options, keyPrefix });
}

/** The prefix of all keys of a shard: the partitions of a cluster are separate even if they are on the same server. */
export const keyPrefixOf = (address: Address): string => (address.kind === 'partition' ? `{${address.tag}}:` : '');

/** BullMQ's option `prefix`: braces keep all keys of a queue in one slot. */
export const deliveryPrefixOf = (address: Address): string =>
  address.kind === 'partition' ? `{${address.tag}}` : '{spooled}';

/** Opens a connection for a BullMQ worker, which requires one that waits for Redis instead of failing fast. */
export function openWorkerConnection(address: Address, connectionName: string): Redis {
  return connect(address, {
    connectionName,
    connectTimeout: connectTimeoutMs,
    socketTimeout: workerSocketTimeoutMs,
    maxRetriesPerRequest: null,
    reconnectOnError,
    retryStrategy,
  });
}

function connect(address: Address, options: RedisOptions): Redis {
  if (address.kind === 'single') return new Redis(address.url, options);
  const server = address.kind === 'sentinel' ? sentinelOptions(address) : partitionOptions(address);
  return new Redis({ ...server, ...options });
}

/** A plain connection to the primary of the slot: all keys of a shard are in that slot. */
function partitionOptions({ topology, slot, username, password, tls }: PartitionAddress): RedisOptions {
  return {
    Connector: slotConnector(topology, slot, tls, retryStrategy),
    ...(username && { username }),
    ...(password && { password }),
    ...(tls && { tls: {} }),
  };
}

/**
 * Only the listed sentinels are asked: addresses that sentinels announce for each other are often unreachable from
 * containers. ioredis' `failoverDetector` stays off: when its message arrives during a reconnect, the connection ends
 * permanently. Sentinels close the connections of a demoted primary, so it is not needed.
 */
function sentinelOptions(address: SentinelAddress): RedisOptions {
  const { sentinels, master, db, username, password, sentinelUsername, sentinelPassword, tls } = address;
  return {
    sentinels,
    name: master,
    db,
    ...(username && { username }),
    ...(password && { password }),
    ...(sentinelUsername && { sentinelUsername }),
    ...(sentinelPassword && { sentinelPassword }),
    sentinelCommandTimeout: lookUpTimeoutMs,
    sentinelRetryStrategy: retryStrategy,
    updateSentinels: false,
    ...(tls && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
  };
}
