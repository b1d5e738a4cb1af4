import { createHash } from 'node:crypto';
import { isSecretName, secretNamePattern, secretOrganizationSettings, secretQueueSettings } from '@spooled/domain';
import { useDatabase, useSuperuser } from '@spooled/testing';

const superuser = useSuperuser(useDatabase());

async function withoutSecrets(document: unknown): Promise<unknown> {
  const { rows } = await superuser.query<{ shown: unknown }>('SELECT without_secrets_v1($1::jsonb) AS shown', [
    JSON.stringify(document),
  ]);
  return rows[0]!.shown;
}

const marked = 'marked secret';
const callersNames = ['x-auth', 'X-Api-Key', 'cookie', 'sig', 'smtp_pass', 'authorization', 'headers'];

/** Values that a secret member may have. */
const values: [string, unknown][] = [
  ['a text', marked],
  ['a list', [marked, { of: marked }]],
  ['an object', { 'x-tenant': marked, deep: [{ er: marked }] }],
];

const places: [string, (members: object) => unknown][] = [
  ['the document', (members) => members],
  ['an object', (members) => ({ a: { b: members } })],
  ['a list', (members) => ({ list: [1, members] })],
  ['a list of lists', (members) => [[[members]], { a: [{ b: [members] }] }]],
];

describe('a document without secrets', () => {
  describe.each(places)('in %s', (_, at) => {
    it.each(values)('BX-21 hides secret members that have %s', async (_kind, value) => {
      for (const name of [...secretQueueSettings, ...secretOrganizationSettings, ...callersNames]) {
        expect(await withoutSecrets(at({ [name]: value, next: 1 }))).toEqual(at({ [name]: '[secret]', next: 1 }));
      }
    });
  });

  it('BX-21 keeps what is no secret, and the order of lists', async () => {
    const document = { a: [3, 1, [true, null, 'x'], {}], b: [], token: null, author: { name: 'Ann' }, n: 1.5 };
    expect(await withoutSecrets(document)).toEqual(document);
  });

  it('BX-21 hides what follows the host in URLs, also within lists', async () => {
    const url = 'postgresql+ssl://user:words@db.example.com/main';
    const shown = (await withoutSecrets({ hooks: ['https://hooks.example.com/T1/B2', [{ url }]] })) as object;
    expect(JSON.stringify(shown)).not.toMatch(/T1|words|main/);
    expect(shown).toEqual({
      hooks: [
        expect.stringMatching(/^https:\/\/hooks\.example\.com\/\[[0-9a-f]{8}\]$/),
        [{ url: expect.stringMatching(/^postgresql\+ssl:\/\/db\.example\.com\/\[[0-9a-f]{8}\]$/) }],
      ],
    });
  });

  it.each([
    ['https://hooks.example.com/marked', 'https://hooks.example.com'],
    ['HTTPS://hooks.example.com?marked', 'HTTPS://hooks.example.com'],
    ['https://hooks.example.com#marked', 'https://hooks.example.com'],
    [' \n\thttps://hooks.example.com/marked\nmarked', 'https://hooks.example.com'],
    ['https:\\\\hooks.example.com\\marked', 'https:\\\\hooks.example.com'],
    ['https:hooks.example.com/marked', 'https:hooks.example.com'],
    ['https:///hooks.example.com/marked', 'https:///hooks.example.com'],
    ['https://marked:marked@hooks.example.com', 'https://hooks.example.com'],
    ['https://marked@marked@hooks.example.com:8443/', 'https://hooks.example.com:8443'],
    ['https://[2001:db8::1]:8443/marked', 'https://[2001:db8::1]:8443'],
    ['redis://:marked@cache:6379/0', 'redis://cache:6379'],
    ['postgresql://user:marked/marked@db.example.com/main', 'postgresql://user'],
  ])('BX-21 shows of %j the host only', async (url, host) => {
    const { shown } = (await withoutSecrets({ shown: url })) as { shown: string };
    expect(shown).toBe(`${host}/[${createHash('md5').update(url).digest('hex').slice(0, 8)}]`);
  });

  it.each(['https://hooks.example.com', 'https://hooks.example.com/', 'mailto:ann@example.com', 'a://b', 'see: /a/b'])(
    'BX-21 keeps %j',
    async (text) => expect(await withoutSecrets([text])).toEqual([text]),
  );

  it('BX-21 judges names as the declared pattern does', async () => {
    const { rows } = await superuser.query<{ text: string }>(
      `SELECT prosrc AS text FROM pg_proc WHERE proname = 'without_secrets_v1'`,
    );
    expect(rows[0]!.text).toContain(`key ~* '${secretNamePattern}'`);
    // PostgreSQL and JavaScript must agree on what the pattern means.
    const names = ['AUTHOR', 'X-AUTH', 'x_auth_y', 'auth', 'authKey', 'compass', 'PASS', 'pass1', 'ähauth', 'Sig'];
    const { rows: judged } = await superuser.query<{ name: string; is_secret: boolean }>(
      'SELECT name, name ~* $2 AS is_secret FROM unnest($1::text[]) AS name',
      [names, secretNamePattern],
    );
    expect(judged).toEqual(names.map((name) => ({ name, is_secret: isSecretName(name) })));
  });
});
