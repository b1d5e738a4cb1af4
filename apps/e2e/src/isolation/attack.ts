import { createTenant } from '@spooled/testing';
import { gatewayRoutes } from '../api-description.js';
import type { Tenant, TwoTenants } from '../two-tenants.js';
import type { Victim } from './findings.js';
import type { GrpcAttack } from './attack-grpc.js';
import type { DatabaseAttack } from './attack-database.js';
import type { RestAttack } from './attack-rest.js';

/** Alice, as Bob may and may not see her. */
export function victimOf({ hidden, secret, organizationId, ids, lease }: Tenant): Victim {
  return {
    organizationId,
    name: secret,
    marks: [hidden],
    ids: {
      jobs: ids['/jobs']!,
      leases: [lease.lease_id],
      keys: ids['/api-keys']!,
      groups: ids['/jobs/dlq/groups']!,
      causes: ids['/jobs/dlq/causes']!,
      others: Object.entries(ids).flatMap(([path, own]) => (/^\/(queues|workers)$/.test(path) ? [] : own)),
    },
  };
}

/** Credentials with which Alice is attacked: of each role, of one queue, of a revoked key, of a deleted organization, and none. */
export async function callersOf({ stack, bob }: TwoTenants): Promise<Record<string, string | null>> {
  const revoked = (await bob.rest.post('/api-keys', { name: 'revoked', queues: [] })).body;
  await bob.rest.delete(`/api-keys/${revoked.id}`);
  const deleted = await createTenant(stack.databaseUrls.superuserUrl);
  const headers = { authorization: `Bearer ${deleted.key}` };
  await fetch(`${stack.baseUrl}/api/v1/organizations/${deleted.organizationId}`, { method: 'DELETE', headers });
  return {
    admin: bob.key,
    operator: await bob.keyAs('operator'),
    viewer: await bob.keyAs('viewer'),
    worker: await bob.keyAs('worker'),
    'key of one queue': await bob.keyFor(bob.secret),
    'revoked key': revoked.key,
    'key of a deleted organization': deleted.key,
    nobody: null,
  };
}

export const goneCallers = ['revoked key', 'key of a deleted organization', 'nobody'];

/** A position in each list that has more than one entry. */
async function cursorsOf({ rest }: Tenant): Promise<string[]> {
  const lists = gatewayRoutes().filter(
    ({ method, path, operation }) =>
      method === 'GET' && !/[{]|admin/.test(path) && operation.parameters.some(({ name }) => name === 'cursor'),
  );
  const found = await Promise.all(
    lists.map(async ({ path }) =>
      (await rest.get(`${path.slice('/api/v1'.length)}?limit=1`)).headers.get('x-next-cursor'),
    ),
  );
  return [...new Set(found.filter((cursor) => cursor !== null))].map(encodeURIComponent);
}

export async function restAttack(tenants: TwoTenants, callers: RestAttack['callers']): Promise<RestAttack> {
  const { stack, alice } = tenants;
  return {
    baseUrl: stack.baseUrl,
    victim: victimOf(alice),
    callers,
    gone: goneCallers,
    scoped: ['key of one queue'],
    cursors: await cursorsOf(alice),
    pathsOf: (path) => {
      if (!path.includes('{')) return [path];
      if (path.includes('check-slug')) return [path.replace('{slug}', alice.secret)];
      return tenants.foreignPaths(path.slice('/api/v1'.length)).map((own) => `/api/v1${own}`);
    },
    dump: () => tenants.dataOfAlice(),
    endOperations: async () => {
      await tenants.superuser.query('DELETE FROM operations WHERE organization_id = $1', [tenants.bob.organizationId]);
    },
    warmUp: async (path) => {
      await fetch(stack.baseUrl + path, { headers: { authorization: `Bearer ${alice.key}` } }).then((response) =>
        response.text(),
      );
    },
  };
}

/** By an organization of its own, because functions write to the attacker's data what they are called with. */
export async function databaseAttack(
  tenants: TwoTenants,
  appUrl = tenants.stack.databaseUrls.appUrl,
): Promise<DatabaseAttack> {
  const attacker = await createTenant(tenants.stack.databaseUrls.superuserUrl);
  return {
    superuser: tenants.superuser,
    appUrl,
    victim: victimOf(tenants.alice),
    attackerId: attacker.organizationId,
    dump: () => tenants.dataOfAlice(),
  };
}

export const grpcAttack = (tenants: TwoTenants, callers: Record<string, string>): GrpcAttack => ({
  address: tenants.stack.grpcAddresses[0]!,
  victim: victimOf(tenants.alice),
  callers,
  dump: () => tenants.dataOfAlice(),
});
