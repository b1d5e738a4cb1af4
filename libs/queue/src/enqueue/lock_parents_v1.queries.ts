/** A record of `list`, as lock_parents_v1.sql reads it. */
export interface LockParentsV1Record {
  parent_job_id: string | null | undefined;
  queue: string | null | undefined;
}
