import { readSettings } from '@spooled/platform';
import { openRedis, shardAddresses } from '../stores/open-redis.js';
import { redisSettings } from './store.settings.js';

describe('SP-94 the addresses of Redis', () => {
  const read = (env: Record<string, string>) => () => readSettings(redisSettings, env);

  it.each([
    'redis://:secret@redis:6379/1',
    'rediss://redis',
    'redis+sentinel://user:secret@s1:26379,s2,s3/mymaster/0?sentinel_password=other',
    'rediss+sentinel://s1/mymaster',
    'redis+cluster://user:secret@n1:7000,n2:7001?partitions=12',
    'rediss+cluster://n1',
  ])('accepts %s', (url) => {
    expect(read({ REDIS_URL: url })()).toMatchObject({ REDIS_URL: url });
    expect(read({ REDIS_SHARDS: `one=${url},two=redis://other` })).not.toThrow();
  });

  it.each([
    [
      'REDIS_URL',
      'redis+sentinel://:hidden@s1,s2:0/mymaster',
      'REDIS_URL: the port of sentinel 2 must be from 1 to 65535',
    ],
    ['REDIS_URL', 'redis+sentinel://:hidden@s1', 'REDIS_URL: the name of the master is missing'],
    ['REDIS_URL', 'redis+cluster://:hidden@n1/2', 'REDIS_URL: a Redis Cluster has only database 0'],
    ['REDIS_URL', 'postgres://:hidden@s1', 'REDIS_URL: must be redis://host:port'],
    ['REDIS_SHARDS', 'redis://a,redis+sentinel://:hidden@s1', 'REDIS_SHARDS: entry 2: the name of the master'],
  ])('a wrong %s is refused by its name and part, without its value', (name, url, reason) => {
    expect(read({ [name]: url })).toThrow(reason);
    expect(read({ [name]: url })).toThrow(expect.objectContaining({ message: expect.not.stringContaining('hidden') }));
  });

  it('are those of REDIS_SHARDS if there are any, and none without both', () => {
    const hosts = (env: Record<string, string>) => shardAddresses(read(env)()).map(({ name }) => name);
    const one = { REDIS_URL: 'redis://one' };
    expect(hosts({})).toEqual([]);
    expect(hosts(one)).toHaveLength(1);
    expect(hosts({ ...one, REDIS_SHARDS: 'two=redis://two,three=redis://three' })).toEqual(['two', 'three']);
  });

  it('are required by a service that cannot do without, and another one says that it does', () => {
    const warnings: string[] = [];
    const service = { settings: {}, logger: { warn: (text: string) => void warnings.push(text) } };
    expect(() => openRedis(service as never, { required: true })).toThrow('REDIS_URL: is required, or REDIS_SHARDS');
    expect(warnings).toEqual([]);
    expect(openRedis(service as never, { required: false })).toBeNull();
    expect(warnings).toEqual([expect.stringContaining('no REDIS_URL')]);
  });
});
