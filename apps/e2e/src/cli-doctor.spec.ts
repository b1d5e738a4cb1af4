import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@spooled/local';
import { createTestDatabase, Receiver, startRedis, type TestRedis, useFolder } from '@spooled/testing';
import { Redis } from 'ioredis';
import { CliProcess, cliFor } from './cli-process.js';
import { startOtherPostgres } from './other-postgres.js';
import { useStack } from './use-rest.js';

const stack = useStack();
let env: NodeJS.ProcessEnv;
const folder = useFolder();

beforeAll(async () => {
  env = {
    SPOOLED_URL: stack.baseUrl,
    SPOOLED_API_KEY: stack.apiKey,
    SPOOLED_CONFIG: join(folder, 'none.json'),
    DATABASE_URL: stack.databaseUrls.appUrl,
  };
});

/** Only the build knows which migrations it needs. */
const built = (more: NodeJS.ProcessEnv) => cliFor({ ...env, ...more }, CliProcess);

/** Examines an installation that differs by `more`. */
async function examine(more: NodeJS.ProcessEnv = {}, args: string[] = [], run = cliFor({ ...env, ...more })) {
  const result = await run(['doctor', '--output', 'json', ...args]);
  const { findings } = JSON.parse(result.stdout) as {
    findings: { check: string; status: string; finding: string; remedy: string | null }[];
  };
  return { ...result, findings, problems: findings.filter(({ status }) => status === 'problem') };
}

/** The only sentence that reports a problem. */
async function sentenceOf(more: NodeJS.ProcessEnv, run = cliFor({ ...env, ...more })): Promise<string> {
  const { code, stdout } = await run(['doctor']);
  const lines = stdout.split('\n').filter((line) => line.startsWith('problem'));
  expect([code, lines]).toEqual([1, [expect.any(String)]]);
  return lines[0]!.replace(/^problem +\S+( \(\S+\))? +/, '');
}

describe('BX-17 spooled doctor', () => {
  it('finds no problem in an installation that works', async () => {
    const both = { DATABASE_SYSTEM_URL: stack.databaseUrls.systemUrl };
    const { code, findings, problems } = await examine(both, [], built(both));
    expect([code, problems]).toEqual([0, []]);
    const texts = findings.filter(({ status }) => status === 'ok').map(({ finding }) => finding);
    for (const part of [
      /^PostgreSQL 1\d\.\d+ answers/,
      /security applies to role "spooled_app"/,
      /security applies to role "spooled_system"/,
      /schema is migrated/,
      /^Spooled .* answers/,
      /^The key is valid/,
    ]) {
      expect(texts).toContainEqual(expect.stringMatching(part));
    }
  });

  it('reads settings from a file', async () => {
    writeFileSync(join(folder, 'settings.env'), `REDIS_URL=redis://127.0.0.1:${await freePort()}\n`);
    const { problems } = await examine({}, ['--settings', join(folder, 'settings.env')]);
    expect(problems).toMatchObject([{ check: 'Redis' }]);
  });

  describe('explains a Redis', () => {
    let redis: TestRedis;
    beforeAll(async () => void (redis = await startRedis()));
    afterAll(() => redis.close());

    it('that drops keys when its memory is full', async () => {
      const client = new Redis(redis.url);
      await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
      expect(await sentenceOf({ REDIS_URL: redis.url })).toMatch(
        /^Redis may drop commands .* \(maxmemory-policy allkeys-lru\): set maxmemory-policy noeviction\.$/,
      );
      await client.config('SET', 'maxmemory-policy', 'noeviction');
      client.disconnect();
      expect((await examine({ REDIS_URL: redis.url })).code).toBe(0);
    });

    it('that is stopped', async () => {
      await redis.stop();
      expect(await sentenceOf({ REDIS_URL: redis.url })).toMatch(
        /^Redis does not answer at 127\.0\.0\.1:\d+ \(connection refused\): start it, or correct host and port of REDIS_URL\.$/,
      );
    });
  });

  it('explains a port that another program uses', async () => {
    const other = await Receiver.open();
    const { port, origin } = new URL(other.url());
    try {
      const [grpc, metrics] = [await freePort(), await freePort()];
      const ports = { PORT: port, GRPC_PORT: `${grpc}`, METRICS_PORT: `${metrics}` };
      const { code, problems } = await examine({ SPOOLED_URL: origin, ...ports });
      expect(code).toBe(1);
      expect(problems).toMatchObject([
        {
          finding: `Port ${port} is in use by another program`,
          remedy: 'stop that program, or set PORT to a free port',
        },
        { finding: `What answers at ${origin} is no gateway of Spooled` },
      ]);
    } finally {
      await other.close();
    }
  });

  it('explains PostgreSQL 15', async () => {
    const older = await startOtherPostgres({ number: '150013', name: '15.13' });
    try {
      const { host } = new URL(older.url);
      expect(await sentenceOf({ DATABASE_URL: older.url })).toBe(
        `PostgreSQL at ${host} has version 15.13, and Spooled needs 16 or newer: upgrade the server, or set DATABASE_URL to a newer one.`,
      );
    } finally {
      await older.stop();
    }
  });

  it('warns of a clock that differs from that of PostgreSQL', async () => {
    const role = { login: 'spooled_app', bypasses: '', may_switch: 'true' };
    const ahead = await startOtherPostgres({ number: '180000', name: '18.0', ...role, ms: '4102444800000' });
    try {
      const { findings } = await examine({ DATABASE_SYSTEM_URL: ahead.url });
      // An answer that takes 4 s is warned of as well.
      const ofSystem = findings.filter(({ check }) => check.includes('DATABASE_SYSTEM_URL'));
      expect(ofSystem.filter(({ status }) => status === 'warning')).toEqual([
        {
          check: 'PostgreSQL (DATABASE_SYSTEM_URL)',
          status: 'warning',
          finding: expect.stringMatching(/^The clock of this machine is \d+ s behind that of PostgreSQL$/),
          remedy: 'synchronize both by NTP',
        },
      ]);
    } finally {
      await ahead.stop();
    }
  });

  /** The URL of the installation with other parts. */
  const changed = (change: (url: URL) => void): string => {
    const url = new URL(stack.databaseUrls.appUrl);
    change(url);
    return url.href;
  };

  it.each<[string, (url: URL) => void, RegExp]>([
    ['password', (url) => (url.password = 'hidden'), /refuses the password of role "spooled_app": correct the user/],
    ['database', (url) => (url.pathname = '/spoled'), /no database "spoled" at \S+: create it and migrate it/],
    ['host', (url) => (url.hostname = 'db.invalid'), /host "db\.invalid" of DATABASE_URL is unknown: correct its name/],
    ['port', (url) => (url.port = '1'), /does not answer at \S+:1 \(connection refused\): start it/],
  ])('explains a DATABASE_URL with a wrong %s, without its password', async (_part, change, expected) => {
    const url = changed(change);
    const found = await sentenceOf({ DATABASE_URL: url });
    expect(found).toMatch(expected);
    expect(found).not.toContain('hidden');
  });

  it('explains a DATABASE_URL that is no URL, or leads to another kind of server', async () => {
    expect(await sentenceOf({ DATABASE_URL: 'localhost:5432' })).toMatch(
      /not the URL of a PostgreSQL server: write postgres:/,
    );
    const other = await Receiver.open();
    try {
      const { host } = new URL(other.url());
      expect(await sentenceOf({ DATABASE_URL: `postgres://a:hidden@${host}/b` })).toMatch(
        /is not a PostgreSQL server .*: correct/,
      );
    } finally {
      await other.close();
    }
  });

  it('explains a role that may bypass row-level security, and one that is not that of the services', async () => {
    const { superuserUrl, systemUrl } = stack.databaseUrls;
    expect(await sentenceOf({ DATABASE_URL: superuserUrl })).toMatch(
      /may bypass row-level security .*: log in as spooled_app/,
    );
    expect(await sentenceOf({ DATABASE_URL: systemUrl })).toMatch(/is not spooled_app .*: log in as spooled_app/);
  });

  it('explains a database that is not migrated', async () => {
    const empty = await createTestDatabase({ empty: true });
    try {
      expect(await sentenceOf({}, built({ DATABASE_URL: empty.appUrl }))).toMatch(
        /^The database is not migrated.*: run the migration/,
      );
    } finally {
      await empty.drop();
    }
  });

  it('explains a key that the server refuses, and a gateway that does not run', async () => {
    const key = 'sk_test_0123456789abcdef0123456789abcdef';
    expect(await sentenceOf({ SPOOLED_API_KEY: key })).toMatch(/^The server refuses the key: run "spooled login"/);
    const ports = {
      PORT: `${await freePort()}`,
      GRPC_PORT: `${await freePort()}`,
      METRICS_PORT: `${await freePort()}`,
    };
    const away = { SPOOLED_URL: `http://127.0.0.1:${ports.PORT}`, ...ports };
    expect(await sentenceOf(away)).toMatch(/^The gateway does not answer at \S+ \(connection refused\): start it/);
  });
});
