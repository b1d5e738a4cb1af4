/** A record of `claims`, as claim_jobs_v1.sql reads it. */
export interface ClaimJobsV1Record {
  command: number | null | undefined;
  max_jobs: number | null | undefined;
}
