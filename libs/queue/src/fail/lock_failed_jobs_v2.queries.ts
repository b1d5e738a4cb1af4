/** A record of `items`, as lock_failed_jobs_v2.sql reads it. */
export interface LockFailedJobsV2Record {
  command: number | null | undefined;
  id: string | null | undefined;
  worker: string | null | undefined;
  lease: string | null | undefined;
  scope: string[] | null | undefined;
  renewed: boolean | null | undefined;
}
