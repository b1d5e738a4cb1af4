/** A record of `claims`, as claim_jobs_v1.sql reads it. */
export interface ClaimJobsV1Record {
  max_jobs: number | null | undefined;
}
