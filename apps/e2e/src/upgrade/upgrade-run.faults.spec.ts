import { appendFileSync } from 'node:fs';
import { createTestDatabase, type TestDatabase } from '@spooled/testing';
import { z } from 'zod';
import { upgradeUnderLoad } from './upgrade-under-load.js';

/** What `npm run upgrade:check` asks for; without it there is no run. */
const options = z
  .object({ from: z.string(), report: z.string() })
  .nullable()
  .parse(JSON.parse(process.env.SPOOLED_UPGRADE ?? 'null'));

(options ? describe : describe.skip)('an upgrade under load, which only `npm run upgrade:check` makes', () => {
  let database: TestDatabase;
  beforeAll(async () => void (database = await createTestDatabase({ empty: true })));
  afterAll(() => database?.drop());

  it('loses nothing, fails no request and burns no attempt', async () => {
    const { from, report } = options!;
    const rows = await upgradeUnderLoad({ from, to: process.cwd(), database });
    for (const row of rows) appendFileSync(report, `${JSON.stringify(row)}\n`);
    expect(rows.flatMap(({ violations }) => violations)).toEqual([]);
    expect(rows.every(({ acknowledged }) => acknowledged > 0)).toBe(true);
  }, 600_000);
});
