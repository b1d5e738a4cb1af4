import { createTenant, openConnections, useDatabase, useSuperuser } from '@spooled/testing';
import type { Database } from '../database/database.js';
import { listAudit } from './audit-log.js';

const database = useDatabase();
const superuser = useSuperuser(database);
let db: Database;
beforeAll(() => void (db = openConnections(database)));
afterAll(() => db?.close());

describe('the list of the audit log', () => {
  it.each([{ action: null }, { action: 'spec' }])(
    'BX-21 includes the moment of since and excludes that of until (%j)',
    async ({ action }) => {
      const { organizationId } = await createTenant(database.superuserUrl);
      const moments = ['01', '02', '03'].map((day) => `2020-01-${day}T00:00:00.000Z`);
      await superuser.query(
        `INSERT INTO audit_log (organization_id, action, target_kind, at) SELECT $1, 'spec', 'queue', unnest($2::timestamptz[])`,
        [organizationId, moments],
      );
      const any = { actorKind: null, actorId: null, targetKind: null, targetId: null };
      const filter = { ...any, action, since: moments[0]!, until: moments[2]!, limit: 10, offset: 0, after: null };
      const { rows } = await db.withTenant(organizationId, (tx) => listAudit(tx, filter));
      expect(rows.map(({ at }) => new Date(at).toISOString())).toEqual([moments[1], moments[0]]);
    },
  );
});
