/** A record of `items`, as lock_failed_jobs_v1.sql reads it. */
export interface LockFailedJobsV1Record {
  command: number | null | undefined;
  id: string | null | undefined;
  worker: string | null | undefined;
  lease: string | null | undefined;
  scope: string[] | null | undefined;
  renewed: boolean | null | undefined;
}
