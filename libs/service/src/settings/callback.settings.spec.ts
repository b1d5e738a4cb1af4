import { readSettings, serverSettings } from '@spooled/platform';
import { callbackPolicy, callbackSettings } from './callback.settings.js';

const policyOf = (env: Record<string, string>) =>
  callbackPolicy(readSettings({ ...serverSettings, ...callbackSettings }, env));

describe('hosts of callbacks by plain HTTP', () => {
  it('are those of the setting outside production', () => {
    const env = { SPOOLED_ENV: 'development', CALLBACK_HTTP_HOSTS: 'host.docker.internal, Receiver' };
    expect(policyOf(env)).toEqual({ production: false, httpHosts: ['host.docker.internal', 'receiver'] });
    expect(policyOf({ SPOOLED_ENV: 'production' })).toEqual({ production: true, httpHosts: [] });
  });

  it('SP-57 are refused in production when the service starts', () => {
    expect(() => policyOf({ SPOOLED_ENV: 'production', CALLBACK_HTTP_HOSTS: 'a' })).toThrow('CALLBACK_HTTP_HOSTS');
    expect(() => policyOf({ CALLBACK_HTTP_HOSTS: 'a' })).toThrow('CALLBACK_HTTP_HOSTS');
  });

  it.each(['http://a', 'a:8080', 'a b', '-a'])('are names, not %j', (host) => {
    expect(() => policyOf({ SPOOLED_ENV: 'development', CALLBACK_HTTP_HOSTS: host })).toThrow('CALLBACK_HTTP_HOSTS');
  });
});
