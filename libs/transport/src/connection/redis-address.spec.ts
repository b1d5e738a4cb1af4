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

  it.each([
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
