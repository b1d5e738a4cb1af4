import { createTenant, eventually, useConnections, useDatabase, useSuperuser } from '@spooled/testing';
import { ApiKeyAuthenticator } from './api-key-authenticator.js';
import { ApiKeyDigests } from './api-key-digests.js';
import { lookupOf, newApiKeyText } from './api-key-text.js';
import { CredentialFeed } from './credential-feed.js';

const [first, second] = ['the first pepper of the spec', 'another pepper of the spec'];
const text = newApiKeyText({ live: true });

describe('SP-70 digests of API keys', () => {
  it('depend on the key and the pepper, and reveal neither', () => {
    const digests = new ApiKeyDigests([first]);
    const stored = digests.of(text);
    expect(digests.check(text, stored)).toBe('current');
    expect(digests.of(text)).toBe(stored);
    expect(digests.check(newApiKeyText({ live: true }), stored)).toBe('wrong');
    expect(new ApiKeyDigests([second]).of(text)).not.toContain(stored.split(':')[1]);
    for (const secret of [text, first, lookupOf(text)]) expect(stored).not.toContain(secret);
    for (const broken of ['', ':', stored.slice(0, -1), `${stored}x`, 'plain:']) {
      expect(digests.check(text, broken)).not.toBe('current');
    }
  });

  it('support pepper rotation: a digest of an older pepper is accepted while the pepper is configured, and updated', () => {
    const before = new ApiKeyDigests([first]).of(text);
    expect(new ApiKeyDigests([second, first]).check(text, before)).toBe('outdated');
    expect(new ApiKeyDigests([first, second]).check(text, before)).toBe('current');
    expect(new ApiKeyDigests([second]).check(text, before)).toBe('unknown_pepper');
    expect(new ApiKeyDigests().check(text, before)).toBe('unknown_pepper');
  });

  it('are accepted without a pepper, also after one is configured', () => {
    const plain = new ApiKeyDigests().of(text);
    expect(new ApiKeyDigests().check(text, plain)).toBe('current');
    expect(new ApiKeyDigests([first]).check(text, plain)).toBe('outdated');
    expect(new ApiKeyDigests(['none', first]).check(text, plain)).toBe('current');
    expect(new ApiKeyDigests(['none', first]).check(text, new ApiKeyDigests([first]).of(text))).toBe('outdated');
  });
});

describe('SP-70 stored keys', () => {
  const stores = useDatabase();
  const superuser = useSuperuser(stores);
  const database = useConnections(stores, { maxConnections: 2 });

  const authenticatorOf = (peppers: string[], problems: string[] = []) =>
    new ApiKeyAuthenticator(database, new CredentialFeed(database), undefined, {
      digests: new ApiKeyDigests(peppers),
      onProblem: (problem) => problems.push(problem),
    });
  const store = (key: string, digest: string) =>
    superuser.query('UPDATE api_keys SET key_digest = $2 WHERE key_lookup = $1', [lookupOf(key), digest]);
  const stored = async (key: string) => {
    const sql = 'SELECT key_digest FROM api_keys WHERE key_lookup = $1';
    return (await superuser.query<{ key_digest: string }>(sql, [lookupOf(key)])).rows[0]!.key_digest;
  };

  it.each([
    ['an older pepper', (key: string) => new ApiKeyDigests([first]).of(key)],
    ['no pepper', (key: string) => new ApiKeyDigests().of(key)],
  ])('of %s are accepted and get the current digest', async (_, digestOf) => {
    const { key, organizationId } = await createTenant(stores.superuserUrl);
    await store(key, digestOf(key));
    expect(await authenticatorOf([second, first]).authenticate(key)).toMatchObject({ organizationId });
    await eventually(async () => expect(await stored(key)).toBe(new ApiKeyDigests([second]).of(key)));
    expect(await authenticatorOf([second]).authenticate(key)).toMatchObject({ organizationId });
  });

  it('are rejected with a wrong digest, or with one of a removed pepper, which is reported', async () => {
    const { key } = await createTenant(stores.superuserUrl);
    const problems: string[] = [];
    for (const digest of [new ApiKeyDigests([second]).of(text), new ApiKeyDigests([first]).of(key)]) {
      await store(key, digest);
      await expect(authenticatorOf([second], problems).authenticate(key)).rejects.toMatchObject({ status: 401 });
      expect(await stored(key)).toBe(digest);
    }
    expect(problems).toEqual([expect.stringContaining('API_KEY_PEPPER')]);
  });
});
