import { createTenant, type Stack } from '@spooled/testing';
import type pg from 'pg';
import { type DescribedRoute, gatewayRoutes } from '../api-description.js';
import { fillTenant, pathsWithIds, refillJobs, type Tenant } from '../two-tenants.js';
import { victimOf } from './attack.js';
import { bodyNaming } from './references.js';

/** Acts on the whole organization or on its account. */
const ofOrganizations = /^\/api\/v1\/(admin|auth|billing|organizations)\b/;
/** The neighbour's webhook gets the events of its organization. */
const announced = 'POST /queues/{name}/pause';
/** Without it, an act is refused while there are jobs. */
const queries: Record<string, string> = { 'DELETE /queues/{name}': '?delete_jobs=true' };
/** What acts of the organization write together, and what is measured. */
const shared = ['organizations', 'queue_series', 'series_counters', 'latency_counts'];

interface Acts {
  /** Routes that have changed rows of what they do not name. */
  changed: string[];
  /** Routes that no request of this generator got to do anything. */
  refused: string[];
}

/**
 * Fills one organization twice, and sends each route that changes something with the ids and names of the one filling only. No row
 * that belongs to the other may change. The first is filled again for each round, so that no act finds the results of another one of its kind.
 */
export async function actBesideNeighbours(stack: Stack, superuser: pg.Client): Promise<Acts> {
  const organization = await createTenant(stack.databaseUrls.superuserUrl);
  const neighbour = await fillTenant(stack, superuser, organization, 'neighbour');
  const rowsOfNeighbour = await rowsOf(superuser, neighbour);
  const acts: Acts = { changed: [], refused: [] };
  /** An organization may have only some of these. No scheduler advances its operations. */
  const removeOthers = async (): Promise<void> => {
    for (const table of ['operations', 'throttles'])
      await superuser.query(`DELETE FROM ${table} WHERE organization_id = $1 AND id <> ALL ($2)`, [
        organization.organizationId,
        neighbour.ids[`/${table}`],
      ]);
  };
  let named: Tenant | undefined;
  for (const [n, round] of rounds().entries()) {
    await removeOthers();
    const name = `named-${lettersOf(n)}`;
    // There are many more routes of jobs than of anything else.
    const isOfJobs = round.every(({ path }) => path.startsWith('/api/v1/jobs'));
    named = isOfJobs && named ? await refillJobs(named, name) : await fillTenant(stack, superuser, organization, name);
    let before = await rowsOfNeighbour();
    for (const route of round) {
      const act = `${route.method} ${route.path.slice('/api/v1'.length)}`;
      if (!(await succeeds(named, route))) acts.refused.push(act);
      const after = await rowsOfNeighbour();
      if (after !== before && act !== announced) acts.changed.push(act);
      before = after;
    }
  }
  return acts;
}

const routes = (): DescribedRoute[] =>
  gatewayRoutes().filter(
    ({ method, path, operation }) =>
      method !== 'GET' && !ofOrganizations.test(path) && operation.security.some((each) => 'bearer' in each),
  );

/** One route of each kind of thing at a time, so that a filling serves several. Those of queues last, which delete what the others need. */
function rounds(): DescribedRoute[][] {
  const kinds = Object.values(Object.groupBy(routes(), ({ path }) => path.split('/')[3]!)) as DescribedRoute[][];
  const isOfQueues = (route: DescribedRoute): boolean => route.path.startsWith('/api/v1/queues');
  return Array.from({ length: Math.max(...kinds.map(({ length }) => length)) }, (_, n) =>
    kinds.flatMap((of) => of.slice(n, n + 1)).toSorted((a, b) => Number(isOfQueues(a)) - Number(isOfQueues(b))),
  );
}

/** Causes of failures are compared without numbers, so a name has none. */
const lettersOf = (n: number): string => [...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('');

/** Whether a request of the route succeeded. */
async function succeeds(named: Tenant, route: DescribedRoute): Promise<boolean> {
  const body = bodyNaming(victimOf(named), route);
  const relative = route.path.slice('/api/v1'.length);
  const statuses: number[] = [];
  for (const path of pathsWithIds(relative, [named, named])) {
    const response = await named.rest.send(route.method, path + (queries[`${route.method} ${relative}`] ?? ''), body);
    statuses.push(response.status);
  }
  return statuses.some((status) => status < 300);
}

/** Reads all rows that have an id or a name of the neighbour. */
async function rowsOf(superuser: pg.Client, { organizationId, hidden, secret, ids }: Tenant) {
  const { rows: tables } = await superuser.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'organization_id'
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> ALL ($1)`,
    [shared],
  );
  const text = tables
    .map(({ name }) => `SELECT '${name}: ' || to_jsonb(t)::text AS row FROM ${name} t WHERE organization_id = $1`)
    .join(' UNION ALL ');
  const own = new Set([hidden, secret, ...Object.values(ids).flat()]);
  own.delete(organizationId);
  const marks = [...own].join('|');
  return async (): Promise<string> => {
    const { rows } = await superuser.query<{ row: string }>({
      name: 'rows of the neighbour',
      text: `SELECT row FROM (${text}) AS all_rows WHERE row ~ $2 ORDER BY 1`,
      values: [organizationId, marks],
    });
    return rows.map(({ row }) => row).join('\n');
  };
}
