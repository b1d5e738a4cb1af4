import { Spooled } from './spooled.js';

describe('a client', () => {
  it.each([
    [{ baseUrl: undefined }, 'baseUrl: must be an http or https URL'],
    [{ baseUrl: 'ftp://x' }, 'baseUrl: must be an http or https URL'],
    [{ baseUrl: 'http://sk_secret@x' }, 'baseUrl: must hold no credentials'],
    [{ baseUrl: 'http://x/console?code=secret' }, 'baseUrl: must hold no query and no fragment'],
    [{ baseUrl: 'http://x/#secret' }, 'baseUrl: must hold no query and no fragment'],
    [{ baseUrl: 'https://x/api/v1/' }, 'baseUrl: must end before /api'],
    [{ apikey: 'sk_secret' }, 'apikey: no such option'],
    [{ apiKey: 'sk_secret\nsk_secret' }, 'apiKey: must be a text'],
    [{ apiKey: 'sk_secret…' }, 'apiKey: must be a text'],
    [{ adminKey: 5 }, 'adminKey: must be a text'],
    [{ retry: { retires: 5 } }, 'retry.retires: no such option'],
    [{ retry: { retries: Number.NaN } }, 'retry.retries: must be a number from 0 on'],
    [{ retry: { maxDelayMs: '1s' } }, 'retry.maxDelayMs: must be a number from 0 on'],
    [{ timeoutMs: '5s' }, 'timeoutMs: must be'],
  ])('is not made with %j, and shows no secret', (options, message) => {
    const make = () => new Spooled({ baseUrl: 'http://x', ...options } as never);
    expect(make).toThrow(message);
    expect(make).not.toThrow('secret');
  });
});
