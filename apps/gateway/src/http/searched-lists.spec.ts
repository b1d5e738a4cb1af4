import { createTenant, useSuperuser } from '@spooled/testing';
import { useGateway } from '../gateway.fixture.js';

const { database, gateway } = useGateway();
const superuser = useSuperuser(database);

/** Entries 1 to `number`, of which the oldest and the newest have a rare action. */
async function recordAudit(organizationId: string, number: number): Promise<void> {
  await superuser.query(
    `INSERT INTO audit_log (organization_id, at, action, target_kind, target_id)
       SELECT $1, now() - make_interval(secs => $2 - n), CASE WHEN n IN (1, $2) THEN 'rare' ELSE 'common' END, 'spec', n::text
       FROM generate_series(1, $2::int) AS n`,
    [organizationId, number],
  );
}

const idsOf = (found: Record<string, string>[], id: string) => found.map((row) => row[id]!);

describe('a list that is searched in parts', () => {
  it('SP-91 SP-17 continues where a search has ended, and refuses an offset that would pass over rows', async () => {
    const { key, organizationId } = await createTenant(database.superuserUrl);
    await recordAudit(organizationId, 50_000);
    const ask = (path: string) => gateway.request('GET', path, key);
    const found: string[] = [];
    let [next, pages] = ['/audit?action=rare&limit=5', 0];
    for (; next !== '' && pages < 10; pages++) {
      const { body, headers } = await ask(next);
      found.push(...idsOf(body as Record<string, string>[], 'target_id'));
      expect(headers['x-has-more']).toBe(String(headers.link !== undefined));
      next = /<\/api\/v1(.*)>; rel="next"/.exec((headers.link as string | undefined) ?? '')?.[1] ?? '';
    }
    expect(found).toEqual(['50000', '1']);
    expect(pages).toBeGreaterThan(1);
    const { status, body } = await ask('/audit?action=rare&limit=5&offset=5');
    expect([status, Object.keys(body.details as object)]).toEqual([400, ['offset']]);
    const frequent = await ask('/audit?action=common&limit=5&offset=49990');
    expect([frequent.status, frequent.body.length, frequent.headers['x-has-more']]).toEqual([200, 5, 'true']);
  });
});
