/** A record of `claims`, as grant_leases_v2.sql reads it. */
export interface GrantLeasesV2Record {
  command: number | null | undefined;
  id: string | null | undefined;
  worker: string | null | undefined;
  lease_seconds: number | null | undefined;
  max_jobs: number | null | undefined;
}
