import { tmpdir } from 'node:os';
import { findTarget } from './connect.js';

describe('BX-17 the server and the key of a command', () => {
  const env = { SPOOLED_API_KEY: 'sk_test_of_the_environment', SPOOLED_PROFILE: 'production' };

  it('are never a key of the environment for the usual server while a profile is named', () => {
    expect(() => findTarget(env, {})).toThrow('SPOOLED_PROFILE and SPOOLED_API_KEY contradict each other');
    expect(findTarget({ ...env, SPOOLED_URL: 'https://a.example' }, {})).toMatchObject({ url: 'https://a.example' });
    expect(findTarget(env, { url: 'https://a.example' })).toMatchObject({ apiKey: env.SPOOLED_API_KEY, profile: null });
  });

  it('are not read from what is no file', () => {
    expect(() => findTarget({ SPOOLED_CONFIG: tmpdir() }, {})).toThrow(`${tmpdir()} is no file`);
  });
});
