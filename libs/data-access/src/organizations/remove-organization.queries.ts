/** Types generated for queries found in "libs/data-access/src/organizations/remove-organization.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'RemoveOrganization' parameters type */
export type RemoveOrganizationParams = void;

/** 'RemoveOrganization' return type */
export type RemoveOrganizationResult = void;

/** 'RemoveOrganization' query type */
export interface RemoveOrganizationQuery {
  params: RemoveOrganizationParams;
  result: RemoveOrganizationResult;
}

const removeOrganizationIR: any = {"usedParamSet":{},"params":[],"statement":"-- Deletes the current organization with its keys, sessions and queue settings. A trigger begins the operation that deletes all other\n-- rows in steps.\nDELETE FROM organizations WHERE id = current_organization()"};

/**
 * Query generated from SQL:
 * ```
 * -- Deletes the current organization with its keys, sessions and queue settings. A trigger begins the operation that deletes all other
 * -- rows in steps.
 * DELETE FROM organizations WHERE id = current_organization()
 * ```
 */
export const removeOrganization = new PreparedQuery<RemoveOrganizationParams,RemoveOrganizationResult>(removeOrganizationIR);


