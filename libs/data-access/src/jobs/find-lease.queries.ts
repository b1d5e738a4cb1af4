/** Types generated for queries found in "libs/data-access/src/jobs/find-lease.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'FindLease' parameters type */
export interface FindLeaseParams {
  id: string;
  organizationId: string;
  queues?: stringArray | null | void;
}

/** 'FindLease' return type */
export interface FindLeaseResult {
  held: boolean;
  lease_id: string;
  worker_id: string;
}

/** 'FindLease' query type */
export interface FindLeaseQuery {
  params: FindLeaseParams;
  result: FindLeaseResult;
}

const findLeaseIR: any = {"usedParamSet":{"organizationId":true,"id":true,"queues":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":266,"b":281}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":296,"b":299}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":327,"b":333},{"a":372,"b":378}]}],"statement":"-- The current lease of a job.\n-- :queues that the caller may access, null = all.\n-- Relies on the primary key of job_queue.\nSELECT worker_id AS \"worker_id!\", lease_id AS \"lease_id!\", lease_expires_at > current_ts() AS \"held!\"\nFROM job_queue\nWHERE organization_id = :organizationId! AND job_id = :id! AND state = 'leased' AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))"};

/**
 * Query generated from SQL:
 * ```
 * -- The current lease of a job.
 * -- :queues that the caller may access, null = all.
 * -- Relies on the primary key of job_queue.
 * SELECT worker_id AS "worker_id!", lease_id AS "lease_id!", lease_expires_at > current_ts() AS "held!"
 * FROM job_queue
 * WHERE organization_id = :organizationId! AND job_id = :id! AND state = 'leased' AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
 * ```
 */
export const findLease = new PreparedQuery<FindLeaseParams,FindLeaseResult>(findLeaseIR);


