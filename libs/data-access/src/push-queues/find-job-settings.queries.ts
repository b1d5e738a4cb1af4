/** Types generated for queries found in "libs/data-access/src/push-queues/find-job-settings.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'FindJobSettings' parameters type */
export interface FindJobSettingsParams {
  ids: stringArray;
  organizationId: string;
}

/** 'FindJobSettings' return type */
export interface FindJobSettingsResult {
  id: string;
  settings: unknown;
}

/** 'FindJobSettings' query type */
export interface FindJobSettingsQuery {
  params: FindJobSettingsParams;
  result: FindJobSettingsResult;
}

const findJobSettingsIR: any = {"usedParamSet":{"ids":true,"organizationId":true},"params":[{"name":"ids","required":true,"transform":{"type":"scalar"},"locs":[{"a":142,"b":146}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":267,"b":282}]}],"statement":"-- Settings of jobs that have their own. Index: primary key of jobs, for each id.\nSELECT j.id AS \"id!\", j.settings AS \"settings!\"\nFROM unnest(:ids!::uuid[]) AS wanted(id)\nCROSS JOIN LATERAL (\n  SELECT id, settings FROM jobs WHERE id = wanted.id AND organization_id = :organizationId! OFFSET 0\n) AS j\nWHERE j.settings IS NOT NULL"};

/**
 * Query generated from SQL:
 * ```
 * -- Settings of jobs that have their own. Index: primary key of jobs, for each id.
 * SELECT j.id AS "id!", j.settings AS "settings!"
 * FROM unnest(:ids!::uuid[]) AS wanted(id)
 * CROSS JOIN LATERAL (
 *   SELECT id, settings FROM jobs WHERE id = wanted.id AND organization_id = :organizationId! OFFSET 0
 * ) AS j
 * WHERE j.settings IS NOT NULL
 * ```
 */
export const findJobSettings = new PreparedQuery<FindJobSettingsParams,FindJobSettingsResult>(findJobSettingsIR);


