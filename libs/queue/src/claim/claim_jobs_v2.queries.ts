/** A record of `claims`, as claim_jobs_v2.sql reads it. */
export interface ClaimJobsV2Record {
  max_jobs: number | null | undefined;
}
