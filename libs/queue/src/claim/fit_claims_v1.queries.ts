/** A record of `claims`, as fit_claims_v1.sql reads it. */
export interface FitClaimsV1Record {
  command: number | null | undefined;
  max_jobs: number | null | undefined;
  max_bytes: number | null | undefined;
}
