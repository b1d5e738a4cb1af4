/** A record of `leases`, as release_leases_v1.sql reads it. */
export interface ReleaseLeasesV1Record {
  id: string | null | undefined;
  lease: string | null | undefined;
  renewed: boolean | null | undefined;
  held: boolean | null | undefined;
  delay_ms: number | null | undefined;
}
