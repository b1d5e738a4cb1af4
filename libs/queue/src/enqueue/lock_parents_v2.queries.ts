/** A record of `list`, as lock_parents_v2.sql reads it. */
export interface LockParentsV2Record {
  parent_job_id: string | null | undefined;
  queue: string | null | undefined;
}
