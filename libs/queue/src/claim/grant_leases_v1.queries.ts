/** A record of `claims`, as grant_leases_v1.sql reads it. */
export interface GrantLeasesV1Record {
  command: number | null | undefined;
  id: string | null | undefined;
  worker: string | null | undefined;
  lease_seconds: number | null | undefined;
}
