import fc from 'fast-check';
import { parseShards, pickShard } from './shard-map.js';

const names = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 8 });

describe('KF-11 pickShard', () => {
  it('gives the same shard for the same key, whatever the order of the list', () => {
    fc.assert(
      fc.property(names, fc.string(), (shards, key) => {
        const reversed = [...shards].reverse();
        expect(reversed[pickShard(reversed, key)]).toBe(shards[pickShard(shards, key)]);
      }),
    );
  });

  it('KF-12 moves a key only to the new shard', () => {
    fc.assert(
      fc.property(names, fc.string({ minLength: 1 }), fc.string(), (shards, added, key) => {
        fc.pre(!shards.includes(added));
        const before = shards[pickShard(shards, key)];
        const after = [...shards, added][pickShard([...shards, added], key)];
        expect([before, added]).toContain(after);
      }),
    );
  });

  it('KF-12 moves about 1/n of the keys to an added shard and no others', () => {
    const keys = Array.from({ length: 4000 }, (_, index) => `organization-${index}`);
    for (const count of [2, 4, 8]) {
      const shards = Array.from({ length: count }, (_, index) => `redis-${index}:6379/`);
      const before = keys.map((key) => pickShard(shards.slice(0, -1), key));
      const after = keys.map((key) => pickShard(shards, key));
      const moved = after.filter((shard, index) => shard !== before[index]);
      expect(new Set(moved)).toEqual(new Set([count - 1]));
      expect(moved.length / keys.length).toBeGreaterThan(0.85 / count);
      expect(moved.length / keys.length).toBeLessThan(1.15 / count);
    }
  });
});

describe('parseShards', () => {
  it('reads URLs and named URLs', () => {
    expect(parseShards('redis://a:6380/1, eu1=rediss://user:secret@b')).toEqual([
      { name: 'a:6380/1', address: { kind: 'single', url: 'redis://a:6380/1' } },
      { name: 'eu1', address: { kind: 'single', url: 'rediss://user:secret@b' } },
    ]);
    expect(parseShards('redis://u:p@host')[0]!.name).toBe('host:6379/');
  });

  it('separates shards from the hosts of one shard', () => {
    const shards = parseShards('redis+sentinel://s1,s2/first,second=redis+sentinel://s1:1,s2:2/other/3,redis://a');
    expect(shards.map(({ name }) => name)).toEqual(['first/0', 'second', 'a:6379/']);
  });

  it('SP-94 a cluster becomes several shards with hash tags of their own', () => {
    const shards = parseShards('eu=redis+cluster://:secret@n1,n2?partitions=3,redis+cluster://m1');
    expect(shards.map(({ name }) => name)).toEqual([
      ...['eu/0', 'eu/1', 'eu/2'],
      ...['cluster/0', 'cluster/1', 'cluster/2', 'cluster/3', 'cluster/4', 'cluster/5'],
    ]);
    expect(shards[0]!.address).toMatchObject({ kind: 'partition', password: 'secret', tls: false });
    const slots = shards.slice(0, 3).map(({ address }) => (address.kind === 'partition' ? address.slot : -1));
    expect(slots.map((slot) => Math.floor((slot * 3) / 16_384))).toEqual([0, 1, 2]);
  });

  it.each([
    ['', 'empty'],
    ['http://a', 'redis://host:port'],
    ['redis://a,redis://a:6379', 'same name'],
    ['redis://a,http://b', 'entry 2: must be redis://host:port'],
    ['redis+sentinel://s1/m,x=redis+sentinel://s1:0/m', 'entry 2: the port of sentinel 1'],
  ])('refuses %p', (list, reason) => {
    expect(() => parseShards(list)).toThrow(reason);
  });
});
