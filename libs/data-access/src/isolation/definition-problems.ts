import { z } from 'zod';
import type { Installation } from '../database/installation.js';
import type { BatchTransaction } from '../database/transactions.js';
import { currentRole, describeRoles, describeTable, listWaysAround } from './read-definitions.queries.js';
import { tenantPolicies } from './tenant-policies.js';

/** What the catalogue says about a table with rows of organizations. */
export interface TableDefinition {
  /** The column with the organization. */
  column: string;
  /** 8 KB each. */
  pages: number;
  problems: string[];
}

const policyTexts = z.record(z.string(), z.string());

/** Compares a table with what this release creates; null when it was dropped. @throws SpooledError 503 while it is locked exclusively */
export async function readDefinition(
  tx: BatchTransaction,
  name: string,
  { app, system }: Installation,
): Promise<TableDefinition | null> {
  const table = await tx.first(describeTable, { name, app, roles: [app, system] });
  if (!table) return null;
  const { organization_column: column, pages } = table;
  const problems = [
    ...(table.rls_enabled ? [] : ['row-level security is not enabled']),
    ...(table.rls_forced ? [] : ['row-level security is not forced, so it does not apply to the owner']),
    ...policyProblems(policyTexts.parse(table.policies), tenantPolicies(column, { app, system })),
    ...table.owned_by.map((role) => `${role} owns it`),
    ...(table.may_truncate ? [`${app} may truncate it, to which no policy applies`] : []),
  ];
  return { column, pages, problems };
}

function policyProblems(found: Record<string, string>, expected: Record<string, string>): string[] {
  const missing = Object.keys(expected).filter((name) => !(name in found));
  return [
    ...missing.map((name) => `the policy ${name} is missing`),
    ...Object.entries(found).flatMap(([name, text]) => {
      if (!(name in expected)) return [`the policy ${name} does not belong to this release: ${text}`];
      return text === expected[name] ? [] : [`the policy ${name} was changed: ${text}`];
    }),
  ];
}

/** What could bypass the policies of all tables: views, functions, roles. */
export async function readWaysAround(tx: BatchTransaction, { app, system }: Installation): Promise<string[]> {
  const [around, [current]] = await Promise.all([tx.run(listWaysAround, { app }), tx.run(currentRole)]);
  return [
    ...around.map(({ name }) => `${name} runs with the rights of its owner, and ${app} may use it`),
    ...(current!.role === app ? [] : [`requests run as ${current!.role} instead of ${app}`]),
    ...(await roleProblems(tx, [...new Set([app, system, current!.role])], system)),
  ];
}

/** Why row-level security would not apply to some of these roles. */
export async function roleProblems(tx: BatchTransaction, roles: string[], system: string): Promise<string[]> {
  const described = await tx.run(describeRoles, { roles, system });
  return described.flatMap(({ role, is_superuser, bypasses_rls, may_act_as }) => [
    ...(is_superuser ? [`${role} is a superuser`] : []),
    ...(bypasses_rls ? [`${role} has BYPASSRLS`] : []),
    ...may_act_as.map((other) => `${role} may act as ${other}`),
  ]);
}
