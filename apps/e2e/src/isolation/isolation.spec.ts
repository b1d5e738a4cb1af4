import { TwoTenants } from '../two-tenants.js';
import { callersOf, databaseAttack, grpcAttack, restAttack } from './attack.js';
import { attackDatabase } from './attack-database.js';
import { attackGrpc } from './attack-grpc.js';
import { attackRest } from './attack-rest.js';
import { Findings } from './findings.js';
import { actBesideNeighbours } from './neighbours.js';

const timeoutMs = 300_000;

let tenants: TwoTenants;
beforeAll(async () => {
  tenants = await TwoTenants.open({ realtime: 0, webhooks: 0, env: { TRUSTED_PROXY_HOPS: '1' } });
});
afterAll(() => tenants?.close());

/** BX-01: what the catalogue, the OpenAPI document and the proto files offer, with names of another organization. */
describe('an organization that knows the ids and names of another', () => {
  const leaksOf = async (attack: (findings: Findings) => Promise<void>): Promise<string[]> => {
    const findings = new Findings();
    await attack(findings);
    expect(findings.total).toBeGreaterThan(10);
    return findings.leaks;
  };

  it(
    'SP-59 SP-60 BX-01 gets nothing from PostgreSQL as the request role',
    async () => {
      const attack = await databaseAttack(tenants);
      expect(await leaksOf((findings) => attackDatabase(attack, findings))).toEqual([]);
    },
    timeoutMs,
  );

  it(
    'BX-01 KF-04 gets nothing by REST, and no difference from what does not exist',
    async () => {
      const { admin, 'key of one queue': scoped } = (await callersOf(tenants)) as Record<string, string>;
      const attack = await restAttack(tenants, { admin: admin!, 'key of one queue': scoped! });
      expect(await leaksOf((findings) => attackRest(attack, findings))).toEqual([]);
    },
    timeoutMs,
  );

  it(
    'BX-01 SP-61 gets nothing by gRPC',
    async () => {
      const { admin } = (await callersOf(tenants)) as Record<string, string>;
      expect(await leaksOf((findings) => attackGrpc(grpcAttack(tenants, { admin: admin! }), findings))).toEqual([]);
    },
    timeoutMs,
  );
});

/** Their generated requests break a rule, or there is nothing to do. */
const unreached = [
  'POST /jobs/dlq/replays',
  'POST /jobs/dlq/purges',
  'POST /jobs/moves',
  'POST /worker-versions/drain',
  'POST /worker-versions/resume',
  'DELETE /queues/{name}/payload-contract',
  'POST /throttles',
  'POST /outgoing-webhooks/{id}/test',
  'POST /workflows',
  'POST /workflows/{id}/retry',
];

/** BX-15: no act does more than was asked. Acts in steps have specs of their filters: libs/queue/src/operations. */
it(
  'BX-15 acts on what they name, and on nothing else of their organization',
  async () => {
    const { changed, refused } = await actBesideNeighbours(tenants.stack, tenants.superuser);
    expect(changed).toEqual([]);
    expect(refused.sort()).toEqual(unreached.sort());
  },
  timeoutMs,
);
