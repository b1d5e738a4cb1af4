import Fastify from 'fastify';
import { SignJWT } from 'jose';
import { acceptConsoleCookies } from './console-cookie.js';

type Settings = Parameters<typeof acceptConsoleCookies>[1];

const token = 'eyJ.of.session';
const host = 'spooled.internal';
const page = { host, cookie: `spooled_console=${token}`, 'x-spooled-console': '1' };

/** The credential that a service sees of a request. */
async function credentialOf(headers: Record<string, string | undefined>, settings: Partial<Settings> = {}) {
  const fastify = Fastify();
  acceptConsoleCookies(fastify, { CONSOLE_ENABLED: true, EXTERNAL_URL: undefined, ...settings });
  fastify.get('/', ({ headers: { authorization } }) => ({ authorization }));
  const response = await fastify.inject({ url: '/', headers: JSON.parse(JSON.stringify({ ...page, ...headers })) });
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

  it('with the prefix counts before one without', async () => {
    const cookie = `spooled_console=eyJ.of.another; __Host-spooled_console=${token}`;
    expect(await credentialOf({ cookie })).toBe(accepted);
  });

  it('is not replaced by one without the prefix over HTTPS', async () => {
    expect(await credentialOf({ origin: 'https://queue.example.com' }, external)).toBeUndefined();
  });

  it('counts only as a token', async () => {
    for (const value of ['', 'sk_live_key', 'x.eyJ'])
      expect(await credentialOf({ cookie: `spooled_console=${value}` })).toBeUndefined();
  });

  it('counts only for the session that the page names, if it names one', async () => {
    const session = await new SignJWT({ sid: 'a' })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(Buffer.from('x'.repeat(32)));
    const cookie = `spooled_console=${session}`;
    expect(await credentialOf({ cookie, 'x-spooled-console-session': 'a' })).toBe(`Bearer ${session}`);
    expect(await credentialOf({ cookie })).toBe(`Bearer ${session}`);
    expect(await credentialOf({ cookie, 'x-spooled-console-session': 'b' })).toBeUndefined();
    expect(await credentialOf({ 'x-spooled-console-session': 'a' })).toBeUndefined();
  });

  it.each<[string, Record<string, string | undefined>]>([
    ['without a cookie', { cookie: undefined }],
    ['without the header of its pages', { 'x-spooled-console': undefined }],
    ['with another value of that header', { 'x-spooled-console': 'true' }],
    ['with a key, which counts instead', { 'x-api-key': 'sk_live_key' }],
    ["with the administrator's key, which counts instead", { 'x-admin-key': 'key' }],
    ['of a page on another site', { 'sec-fetch-site': 'cross-site' }],
    ['with two sessions', { cookie: `spooled_console=${token}; spooled_console=eyJ.of.another` }],
  ])('does not count for a request %s', async (_, headers) => {
    expect(await credentialOf(headers)).toBeUndefined();
  });

  it('counts beside other cookies, and twice the same', async () => {
    for (const cookie of [`a=b; ${page.cookie};c=d`, `${page.cookie}; ${page.cookie}`])
      expect(await credentialOf({ cookie })).toBe(accepted);
  });

  it('does not replace the credential of a request, and does not count without a console', async () => {
    expect(await credentialOf({ authorization: 'Bearer own' })).toBe('Bearer own');
    expect(await credentialOf({}, { CONSOLE_ENABLED: false })).toBeUndefined();
  });
});
