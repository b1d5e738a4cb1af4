import { requireRedisProgram } from './redis.js';

describe('BX-17 spooled dev', () => {
  it('refuses a machine without Redis, and says what to install or set', () => {
    expect(() => requireRedisProgram('', null)).toThrow(
      'Redis is missing: install redis-server or valkey-server, or set REDIS_URL to the address of a server.',
    );
  });

  it('takes a server that is installed or named', () => {
    expect(() => requireRedisProgram('', '/usr/bin/valkey-server')).not.toThrow();
    expect(() => requireRedisProgram('redis://redis:6379', null)).not.toThrow();
  });
});
