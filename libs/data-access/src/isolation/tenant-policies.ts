import type { Installation } from '../database/installation.js';

/**
 * The policies of a table with rows of organizations, by name, as PostgreSQL describes those that `protect_tenant_table` creates
 * (SP-59).
 * @param column the column with the organization
 */
export function tenantPolicies(
  column: string,
  { app, system }: Pick<Installation, 'app' | 'system'>,
): Record<string, string> {
  const own = `(${column} = (NULLIF(current_setting('app.current_org_id'::text, true), ''::text))::uuid)`;
  return {
    maintenance: `PERMISSIVE FOR ALL TO ${system} USING true WITH CHECK true`,
    tenant: `PERMISSIVE FOR ALL TO ${app} USING ${own} WITH CHECK ${own}`,
  };
}
