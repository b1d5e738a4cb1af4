import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { TwoTenants } from '../two-tenants.js';
import { sendGeneratedRequests } from './schemathesis.js';

/** What `npm run fuzz` asks for; without it there is no run. */
const asked = z
  .object({ python: z.string(), folder: z.string(), seconds: z.int(), seed: z.string(), report: z.string() })
  .nullable()
  .parse(JSON.parse(process.env.SPOOLED_FUZZ ?? 'null'));
/** Beyond the time that the requests have. */
const extraMs = 600_000;

(asked ? describe : describe.skip)('requests made from the OpenAPI document, which only `npm run fuzz` sends', () => {
  let tenants: TwoTenants;
  let workingFolder: string;
  beforeAll(async () => {
    workingFolder = mkdtempSync(join(tmpdir(), 'spooled-fuzz-'));
    tenants = await TwoTenants.open({ env: { RATE_LIMIT_ENABLED: 'false' } });
  }, 120_000);
  afterAll(async () => {
    await tenants?.close();
    rmSync(workingFolder, { recursive: true });
  });

  it(
    'are answered as the document says, and none with 5xx',
    async () => {
      const { baseUrl, adminKey } = tenants.stack;
      const target = { baseUrl, adminKey, tenant: tenants.alice, workingFolder };
      const { passed, output } = await sendGeneratedRequests(asked!, target);
      writeFileSync(asked!.report, output);
      expect(passed).toBe(true);
    },
    (asked?.seconds ?? 0) * 1000 + extraMs,
  );
});
