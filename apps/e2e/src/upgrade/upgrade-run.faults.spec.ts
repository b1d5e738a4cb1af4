import { appendFileSync } from 'node:fs';
import { createTestDatabase, type TestDatabase } from '@spooled/testing';
import { z } from 'zod';
import { upgradeUnderLoad } from './upgrade-under-load.js';

/** What `npm run upgrade:check` asks for; without it this version is replaced by itself. */
const { from, report } = z
  .object({ from: z.string().nullable(), report: z.string().nullable() })
  .parse(JSON.parse(process.env.SPOOLED_UPGRADE ?? '{"from":null,"report":null}'));

const to = process.cwd();

describe('an upgrade under load', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase({ empty: true });
  });
  afterAll(() => database?.drop());

  it('loses nothing, fails no request and burns no attempt', async () => {
    const rows = await upgradeUnderLoad({ from: from ?? to, to, database });
    if (report) for (const row of rows) appendFileSync(report, `${JSON.stringify(row)}\n`);
    expect(rows.flatMap(({ violations }) => violations)).toEqual([]);
    expect(rows.every(({ acknowledged }) => acknowledged > 0)).toBe(true);
  }, 600_000);
});
