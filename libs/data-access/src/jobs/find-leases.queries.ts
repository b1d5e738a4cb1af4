/** Types generated for queries found in "libs/data-access/src/jobs/find-leases.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'FindLeases' parameters type */
export interface FindLeasesParams {
  ids: stringArray;
  organizationId: string;
}

/** 'FindLeases' return type */
export interface FindLeasesResult {
  held: boolean;
  job_id: string;
  lease_id: string;
}

/** 'FindLeases' query type */
export interface FindLeasesQuery {
  params: FindLeasesParams;
  result: FindLeasesResult;
}

const findLeasesIR: any = {"usedParamSet":{"organizationId":true,"ids":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":239,"b":254}]},{"name":"ids","required":true,"transform":{"type":"scalar"},"locs":[{"a":274,"b":278}]}],"statement":"-- The current leases of these jobs; `held`: their rows have not expired.\n-- Relies on the primary key of job_queue.\nSELECT job_id, lease_id AS \"lease_id!\", lease_expires_at > current_ts() AS \"held!\"\nFROM job_queue\nWHERE organization_id = :organizationId! AND job_id = ANY (:ids!) AND state = 'leased'"};

/**
 * Query generated from SQL:
 * ```
 * -- The current leases of these jobs; `held`: their rows have not expired.
 * -- Relies on the primary key of job_queue.
 * SELECT job_id, lease_id AS "lease_id!", lease_expires_at > current_ts() AS "held!"
 * FROM job_queue
 * WHERE organization_id = :organizationId! AND job_id = ANY (:ids!) AND state = 'leased'
 * ```
 */
export const findLeases = new PreparedQuery<FindLeasesParams,FindLeasesResult>(findLeasesIR);


