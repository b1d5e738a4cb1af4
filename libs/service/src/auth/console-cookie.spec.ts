import Fastify from 'fastify';
import { acceptConsoleCookies } from './console-cookie.js';

const token = 'eyJ.of.session';
const host = 'spooled.internal';
const page = { host, cookie: `spooled_console=${token}`, 'x-spooled-console': '1' };

/** The credential that a service sees of a request. */
async function credentialOf(headers: Record<string, string>, settings: { EXTERNAL_URL?: string } = {}) {
  const fastify = Fastify();
  acceptConsoleCookies(fastify, { CONSOLE_ENABLED: true, EXTERNAL_URL: undefined, ...settings });
  fastify.get('/', ({ headers: { authorization } }) => ({ authorization }));
  const response = await fastify.inject({ url: '/', headers: { ...page, ...headers } });
  return response.json<{ authorization?: string }>().authorization;
}

describe('BX-24 the cookie of the console', () => {
  const accepted = `Bearer ${token}`;
  const external = { EXTERNAL_URL: 'https://queue.example.com/spooled' };

  it('counts for a page of the host that the request names', async () => {
    expect(await credentialOf({})).toBe(accepted);
    expect(await credentialOf({ origin: `http://${host}` })).toBe(accepted);
    expect(await credentialOf({ host: host.toUpperCase(), origin: `http://${host}` })).toBe(accepted);
    expect(await credentialOf({ origin: 'http://queue.example.com' })).toBeUndefined();
  });

  it('counts for a page of EXTERNAL_URL where a proxy changes the host, and of no other', async () => {
    const secure = { cookie: `__Host-spooled_console=${token}` };
    expect(await credentialOf({ ...secure, origin: 'https://queue.example.com' }, external)).toBe(accepted);
    for (const origin of ['https://queue.example.com:8443', 'https://example.com', 'https://evil.test', 'null'])
      expect(await credentialOf({ ...secure, origin }, external)).toBeUndefined();
  });

  it('is not replaced by one without the prefix over HTTPS', async () => {
    expect(await credentialOf({ origin: 'https://queue.example.com' }, external)).toBeUndefined();
  });

  it('counts only as a token', async () => {
    for (const value of ['', 'sk_live_key', 'x.eyJ'])
      expect(await credentialOf({ cookie: `spooled_console=${value}` })).toBeUndefined();
  });

  it('counts for no session that cannot be read, if the page names one', async () => {
    expect(await credentialOf({ 'x-spooled-console-session': 'a' })).toBeUndefined();
  });
});
