import { parseRedisUrl } from './redis-address.js';

describe('SP-94 parseRedisUrl', () => {
  it('reads the sentinels, the master and both passwords', () => {
    expect(
      parseRedisUrl('rediss+sentinel://user:p%40ss@s1,s2:26380,[::1]:7/mymaster/2?sentinel_password=s%26p'),
    ).toEqual({
      kind: 'sentinel',
      username: 'user',
      password: 'p@ss',
      tls: true,
      sentinels: [
        { host: 's1', port: 26379 },
        { host: 's2', port: 26380 },
        { host: '::1', port: 7 },
      ],
      master: 'mymaster',
      db: 2,
      sentinelPassword: 's&p',
    });
    expect(parseRedisUrl('redis+sentinel://:only@s1/m')).toMatchObject({ password: 'only', tls: false, db: 0 });
  });

  it('reads the nodes of a cluster and the number of partitions', () => {
    expect(parseRedisUrl('rediss+cluster://u:p@n1:7000,n2/?partitions=12')).toEqual({
      kind: 'cluster',
      username: 'u',
      password: 'p',
      tls: true,
      nodes: [
        { host: 'n1', port: 7000 },
        { host: 'n2', port: 6379 },
      ],
      partitions: 12,
    });
    expect(parseRedisUrl('redis+cluster://n1')).toMatchObject({ tls: false, partitions: 6 });
  });

  it.each([
    ['redis+cluster://n1,n2:x', 'node 2 must be host'],
    ['redis+cluster://n1/1', 'only database 0'],
    ['redis+cluster://n1?partitions=0', 'partitions must be a whole number from 1 to 64'],
    ['redis+cluster://n1?partitions=65', 'partitions must be'],
    ['redis+cluster://n1?sentinel_password=x', 'only these parameters are known after "?": partitions'],
    ['redis://a,b', 'one host'],
    ['redis+magic://a/m', 'must be redis://'],
    ['redis+sentinel://s1:1', 'name of the master'],
    ['redis+sentinel://s1:1/', 'name of the master'],
    ['redis+sentinel://s1/m/x', 'db being a number'],
    ['redis+sentinel://s1/m/1/2', '/master or /master/db'],
    ['redis+sentinel:///m', 'sentinel 1 must be host'],
    ['redis+sentinel://s1,,s2/m', 'sentinel 2 must be host'],
    ['redis+sentinel://s1,s2:70000/m', 'port of sentinel 2'],
    ['redis+sentinel://u:50%@s1/m', 'the password'],
    ['redis+sentinel://s1/m?password=x', 'sentinel_username, sentinel_password'],
  ])('refuses %p and names the part', (url, reason) => {
    expect(() => parseRedisUrl(url)).toThrow(reason);
  });

  it('never repeats a part of the URL, which may be a password', () => {
    for (const url of [
      'redis+sentinel://u:hid/den@s1/m',
      'redis+sentinel://u:hid?den@s1/m',
      'redis+sentinel://u:hid@den@s/m',
    ]) {
      expect(() => parseRedisUrl(url)).toThrow(
        expect.objectContaining({ message: expect.not.stringMatching(/hid|den/) }),
      );
    }
  });
});
