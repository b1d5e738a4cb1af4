import { createHash } from 'node:crypto';

/** One of several Redis shards. Its name, not its address, determines its organizations. */
export interface ShardAddress {
  name: string;
  url: string;
}

const namedUrl = /^([\w.-]+)=(rediss?:\/\/.*)$/i;

/**
 * Parses a comma-separated list of Redis URLs. An entry may be `name=url`: a named shard can move to another host and
 * keeps its organizations; without a name it is `host:port/db`.
 * @throws Error when the list is empty, an entry is not a Redis URL, or a name occurs twice
 */
export function parseShards(list: string): ShardAddress[] {
  const entries = list.split(',').map((entry) => entry.trim());
  const shards = entries.filter((entry) => entry !== '').map(parseShard);
  if (shards.length === 0) throw new Error('the list of Redis shards is empty');
  const names = new Set(shards.map(({ name }) => name));
  if (names.size < shards.length) throw new Error('two Redis shards have the same name');
  return shards;
}

function parseShard(entry: string): ShardAddress {
  const [, name, namedPart] = namedUrl.exec(entry) ?? [];
  const url = namedPart ?? entry;
  if (!/^rediss?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new Error('a Redis shard must be redis://host:port, rediss://host:port or name=redis://host:port');
  }
  const { hostname, port, pathname } = new URL(url);
  return { name: name ?? `${hostname}:${port || '6379'}${pathname === '' ? '/' : pathname}`, url };
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
