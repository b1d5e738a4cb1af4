/** A record of `items`, as renew_leases_v1.sql reads it. */
export interface RenewLeasesV1Record {
  id: string | null | undefined;
  command: number | null | undefined;
  worker: string | null | undefined;
  lease: string | null | undefined;
  scope: string[] | null | undefined;
  renewed: boolean | null | undefined;
  lease_seconds: number | null | undefined;
}
