/** A hole, and how the attack names it. */
interface PlantedLeak {
  name: string;
  found: RegExp;
}

export interface DatabaseLeak extends PlantedLeak {
  /** `:victim` is the victim's organization. */
  sql: string;
}

export interface CodeLeak extends PlantedLeak {
  file: string;
  change: [from: string, to: string];
}

/** Holes in the database, one table or function each, so that all can be there at once. */
export const databaseLeaks: DatabaseLeak[] = [
  {
    name: 'row-level security is off',
    sql: 'ALTER TABLE job_history DISABLE ROW LEVEL SECURITY',
    found: /job_history is visible with no tenant/,
  },
  {
    name: 'row-level security of one partition is off',
    sql: `DO $$ BEGIN EXECUTE format('ALTER TABLE %s DISABLE ROW LEVEL SECURITY',
      (SELECT tableoid::regclass FROM jobs WHERE organization_id = ':victim' LIMIT 1)); END $$`,
    found: /jobs_\w+ is visible with no tenant/,
  },
  {
    name: 'a second policy lets all read',
    sql: 'CREATE POLICY open ON schedules FOR SELECT TO spooled_app USING (true)',
    found: /schedules is visible with the attacker/,
  },
  {
    name: 'a second policy lets all delete',
    sql: 'CREATE POLICY open ON workers FOR ALL TO spooled_app USING (true)',
    found: /rows of workers can be deleted/,
  },
  {
    name: 'without a tenant a policy holds for all',
    sql: `ALTER POLICY tenant ON workflows USING (coalesce(current_setting('app.current_org_id', true), '') IN ('', organization_id::text))`,
    found: /workflows is visible with an empty tenant/,
  },
  {
    name: 'a policy checks no new rows',
    sql: 'ALTER POLICY tenant ON queues WITH CHECK (true)',
    found: /queues accepts rows of the victim/,
  },
  {
    name: 'a table has no policy',
    sql: `CREATE TABLE notes (organization_id uuid NOT NULL, text text); GRANT SELECT ON notes TO spooled_app;
      INSERT INTO notes VALUES (':victim', 'x')`,
    found: /notes is visible/,
  },
  {
    name: 'a view runs as its owner',
    sql: 'CREATE VIEW all_payloads AS SELECT organization_id, payload FROM jobs; GRANT SELECT ON all_payloads TO spooled_app',
    found: /all_payloads is visible/,
  },
  {
    name: 'a materialized view has no organization',
    sql: `CREATE MATERIALIZED VIEW recent_payloads AS SELECT payload::text FROM jobs; GRANT SELECT ON recent_payloads TO spooled_app`,
    found: /recent_payloads is readable and has no organization/,
  },
  {
    name: 'a function reads as its owner',
    sql: `CREATE FUNCTION find_payload_v1(job uuid) RETURNS text LANGUAGE sql SECURITY DEFINER
      AS 'SELECT payload::text FROM jobs WHERE id = job'`,
    found: /find_payload_v1 returns data of the victim/,
  },
  {
    name: 'a function writes as its owner',
    sql: `CREATE FUNCTION touch_jobs_v1(ids uuid[]) RETURNS void LANGUAGE sql SECURITY DEFINER
      AS 'UPDATE jobs SET updated_at = clock_timestamp() WHERE id = ANY (ids)'`,
    found: /touch_jobs_v1 changes rows of the victim/,
  },
  {
    name: 'an error tells a payload',
    sql: `CREATE FUNCTION refuse_job_v1(job uuid) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
      AS $$ BEGIN RAISE EXCEPTION 'not this one: %', (SELECT payload::text FROM jobs WHERE id = job); END $$`,
    found: /an error of refuse_job_v1 tells data of the victim/,
  },
  {
    name: 'a function sets the tenant of its session',
    sql: `CREATE FUNCTION remember_tenant_v1(org uuid) RETURNS void LANGUAGE plpgsql
      AS $$ BEGIN PERFORM set_config('app.current_org_id', org::text, false); END $$`,
    found: /after remember_tenant_v1 the next transaction of its connection has a tenant/,
  },
  {
    name: 'the role may truncate',
    sql: 'GRANT TRUNCATE ON jobs TO spooled_app',
    found: /the request role may run TRUNCATE jobs/,
  },
  {
    name: 'the role may create tables',
    sql: 'GRANT CREATE ON SCHEMA public TO spooled_app',
    found: /the request role may run CREATE TABLE/,
  },
  {
    name: 'a name is unique over all organizations',
    sql: 'CREATE UNIQUE INDEX one_name ON schedules (name)',
    found: /one_name tells which values others have/,
  },
  {
    name: 'a function takes what the generator does not know',
    sql: `CREATE FUNCTION near_v1(place point) RETURNS void LANGUAGE sql AS ''`,
    found: /the type point of near_v1 is unknown/,
  },
];

const service = 'apps/gateway/src/jobs/jobs.service.ts';
const asSystem = (select: string) =>
  `(await this.database.asSystem('leak', (tx) => tx.query<{ found: string }>('SELECT ${select} AS found FROM jobs WHERE id = $1', [id])))[0]`;

/** Holes in the code of the gateway, each on a route of its own, so that all can be there at once. */
export const codeLeaks: CodeLeak[] = [
  {
    name: 'a route does not check its organization',
    file: 'apps/gateway/src/tenants/own-organization.ts',
    change: [
      'if (id !== undefined && id',
      `if (id && context.switchToHttp().getRequest<FastifyRequest>().method === 'GET') return { ...principal, organizationId: id };
  if (id !== undefined && id`,
    ],
    found: /GET \/api\/v1\/organizations\/\{id\} shows data/,
  },
  {
    name: 'a cache has no organization in its key',
    file: 'apps/gateway/src/tenants/organizations.controller.ts',
    change: [
      'await this.database.withTenant(organizationId, findOrganization);',
      'await ((globalThis as { kept?: Promise<never> }).kept ??= this.database.withTenant(organizationId, findOrganization) as Promise<never>);',
    ],
    found: /GET \/api\/v1\/organizations shows data/,
  },
  {
    name: 'an error tells a payload',
    file: service,
    change: [
      `if (!job) throw notFound('Job');\n    return job;`,
      `if (!job) throw notFound('Job ' + (${asSystem('payload::text')}?.found ?? ''));\n    return job;`,
    ],
    found: /GET \/api\/v1\/jobs\/\{id\} shows data/,
  },
  {
    name: 'what exists is 400, what does not is 404',
    file: service,
    change: [
      `if (!job) throw notFound('Job');\n      return {`,
      `if (!job) throw ${asSystem('id')} ? badRequest('Job') : notFound('Job');\n      return {`,
    ],
    found: /GET \/api\/v1\/jobs\/\{id\}\/dependencies tells apart what exists/,
  },
  {
    name: 'a revoked key is accepted',
    file: 'libs/data-access/src/credentials/find-api-key.sql',
    change: ['AND k.is_active', ''],
    found: /answers 200 to revoked key/,
  },
  {
    name: 'a header names the organization',
    file: 'apps/gateway/src/auth/request-admission.ts',
    change: [
      'request.principal = principal;',
      `const isList = request.method === 'GET' && request.routeOptions.url === '/api/v1/workflows';
    const named = isList && request.headers['x-organization-id'];
    request.principal = principal && { ...principal, organizationId: String(named || principal.organizationId) };`,
    ],
    found: /GET \/api\/v1\/workflows shows data/,
  },
];

/** In the same gateway: the answer is the right one, but comes later. By more than other work on the machine delays most answers. */
export const timeLeak: CodeLeak = {
  name: 'an answer takes longer when what is asked for exists',
  file: 'apps/gateway/src/jobs/history.controller.ts',
  change: [
    `if (!found) throw notFound('Job');`,
    `if (!found && ${asSystem('id')}) await new Promise((resolve) => setTimeout(resolve, 20));
    if (!found) throw notFound('Job');`,
  ],
  found: /GET \/api\/v1\/jobs\/\{id\}\/history answers later about what exists/,
};
