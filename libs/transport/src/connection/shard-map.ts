import { createHash } from 'node:crypto';
import { parseRedisUrl, type RedisAddress } from './redis-address.js';

/** One of several Redis shards. Its name, not its address, determines its organizations. */
export interface ShardAddress {
  name: string;
  address: RedisAddress;
}

/** Commas also separate hosts within one URL. */
const betweenEntries = /,(?=\s*(?:[\w.-]+=)?[a-z+]+:\/\/)/i;
const namedUrl = /^([\w.-]+)=(.*)$/;

/**
 * Parses a comma-separated list of Redis URLs (`parseRedisUrl`). An entry may be `name=url`: a named shard can move to
 * another host and keeps its organizations; without a name it is `host:port/db`, with sentinels `master/db`.
 * @throws Error when the list is empty, an entry is wrong (which one and which part), or a name occurs twice
 */
export function parseShards(list: string): ShardAddress[] {
  const entries = list
    .split(betweenEntries)
    .map((entry) => entry.trim().replace(/,$/, ''))
    .filter((entry) => entry !== '');
  if (entries.length === 0) throw new Error('the list of Redis shards is empty');
  const shards = entries.map((entry, index) => parseShard(entry, entries.length > 1 ? `entry ${index + 1}: ` : ''));
  const names = new Set(shards.map(({ name }) => name));
  if (names.size < shards.length) throw new Error('two Redis shards have the same name: use name=url');
  return shards;
}

function parseShard(entry: string, where: string): ShardAddress {
  const [, name, namedPart] = namedUrl.exec(entry) ?? [];
  try {
    const address = parseRedisUrl(namedPart ?? entry);
    return { name: name ?? defaultName(address), address };
  } catch (error) {
    throw new Error(`${where}${(error as Error).message}`, { cause: error });
  }
}

function defaultName(address: RedisAddress): string {
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
