/** A record of `list`, as require_parents_v1.sql reads it. */
export interface RequireParentsV1Record {
  parent_job_id: string | null | undefined;
  queue: string | null | undefined;
}
