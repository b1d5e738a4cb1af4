// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './read-definitions.sql';

export type stringArray = (string)[];

export type ListTenantTablesParams = void;

export interface ListTenantTablesResult {
  name: string;
}

export interface DescribeTableParams {
  app: string;
  name: string;
  roles: stringArray;
}

export interface DescribeTableResult {
  may_truncate: boolean;
  organization_column: string;
  owned_by: stringArray;
  pages: number;
  policies: unknown;
  rls_enabled: boolean;
  rls_forced: boolean;
}

export interface DescribeRolesParams {
  roles: stringArray;
  system: string;
}

export interface DescribeRolesResult {
  bypasses_rls: boolean;
  is_superuser: boolean;
  may_act_as: stringArray;
  role: string;
}

export interface ListWaysAroundParams {
  app: string;
}

export interface ListWaysAroundResult {
  name: string;
}

export type CurrentRoleParams = void;

export interface CurrentRoleResult {
  role: string;
}

export type FindSomeOrganizationParams = void;

export interface FindSomeOrganizationResult {
  id: string;
}

export const listTenantTables = new PreparedQuery<ListTenantTablesParams, ListTenantTablesResult>(sql, 'listTenantTables');
export const describeTable = new PreparedQuery<DescribeTableParams, DescribeTableResult>(sql, 'describeTable');
export const describeRoles = new PreparedQuery<DescribeRolesParams, DescribeRolesResult>(sql, 'describeRoles');
export const listWaysAround = new PreparedQuery<ListWaysAroundParams, ListWaysAroundResult>(sql, 'listWaysAround');
export const currentRole = new PreparedQuery<CurrentRoleParams, CurrentRoleResult>(sql, 'currentRole');
export const findSomeOrganization = new PreparedQuery<FindSomeOrganizationParams, FindSomeOrganizationResult>(sql, 'findSomeOrganization');
