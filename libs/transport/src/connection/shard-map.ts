import { createHash } from 'node:crypto';
import { partitionTags, slotOf } from './cluster-slots.js';
import { ClusterTopology } from './cluster-topology.js';
import {
  type ClusterAddress,
  parseRedisUrl,
  type RedisAccess,
  type SentinelAddress,
  type SingleAddress,
} from './redis-address.js';

/** One slot of a Redis Cluster; all keys of the shard contain `{tag}`. */
export interface PartitionAddress extends RedisAccess {
  kind: 'partition';
  tag: string;
  slot: number;
  /** Shared by the partitions of one cluster. */
  topology: ClusterTopology;
}

/** One of several Redis shards. Its name, not its address, determines its organizations. */
export interface ShardAddress {
  name: string;
  address: SingleAddress | SentinelAddress | PartitionAddress;
}

/** Commas also separate hosts within one URL. */
const betweenEntries = /,(?=\s*(?:[\w.-]+=)?[a-z+]+:\/\/)/i;
const namedUrl = /^([\w.-]+)=(.*)$/;

/**
 * Parses a comma-separated list of Redis URLs (`parseRedisUrl`). An entry may be `name=url`: a named shard can move to
 * another host and keeps its organizations; without a name it is `host:port/db`, with sentinels `master/db`.
 * A cluster becomes several shards, its partitions, named `cluster/0`, `cluster/1` and so on.
 * @throws Error when the list is empty, an entry is wrong (which one and which part), or a name occurs twice
 */
export function parseShards(list: string): ShardAddress[] {
  const entries = list
    .split(betweenEntries)
    .map((entry) => entry.trim().replace(/,$/, ''))
    .filter((entry) => entry !== '');
  if (entries.length === 0) throw new Error('the list of Redis shards is empty');
  const shards = entries.flatMap((entry, index) => parseEntry(entry, entries.length > 1 ? `entry ${index + 1}: ` : ''));
  const names = new Set(shards.map(({ name }) => name));
  if (names.size < shards.length) throw new Error('two Redis shards have the same name: use name=url');
  return shards;
}

function parseEntry(entry: string, where: string): ShardAddress[] {
  const [, name, namedPart] = namedUrl.exec(entry) ?? [];
  try {
    const address = parseRedisUrl(namedPart ?? entry);
    if (address.kind === 'cluster') return partitionsOf(name ?? 'cluster', address);
    return [{ name: name ?? defaultName(address), address }];
  } catch (error) {
    throw new Error(`${where}${(error as Error).message}`, { cause: error });
  }
}

function partitionsOf(name: string, { nodes, partitions, username, password, tls }: ClusterAddress): ShardAddress[] {
  const access = { tls, ...(username && { username }), ...(password && { password }) };
  const topology = new ClusterTopology(nodes, access);
  return partitionTags(partitions).map((tag, index) => ({
    name: `${name}/${index}`,
    address: { kind: 'partition', ...access, tag, slot: slotOf(tag), topology },
  }));
}

function defaultName(address: SingleAddress | SentinelAddress): string {
  if (address.kind === 'sentinel') return `${address.master}/${address.db}`;
  const { hostname, port, pathname } = new URL(address.url);
  return `${hostname}:${port || '6379'}${pathname === '' ? '/' : pathname}`;
}

/**
 * The shard of a key by rendezvous hashing: the highest score of shard and key wins, so a new shard takes over about
 * 1/n of the keys, and no others move (KF-11, KF-12).
 */
export function pickShard(shardNames: readonly string[], key: string): number {
  let winner = 0;
  let highest = -1;
  for (let index = 0; index < shardNames.length; index++) {
    const score = scoreOf(shardNames[index]!, key);
    if (score > highest) {
      highest = score;
      winner = index;
    }
  }
  return winner;
}

const scoreOf = (shardName: string, key: string): number =>
  createHash('sha256').update(`${shardName}\n${key}`).digest().readUIntBE(0, 6);
