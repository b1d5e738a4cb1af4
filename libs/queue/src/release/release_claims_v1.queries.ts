/** A record of `claims`, as release_claims_v1.sql reads it. */
export interface ReleaseClaimsV1Record {
  claim: string | null | undefined;
  queue: string | null | undefined;
  worker: string | null | undefined;
}
