/** A record of `leases`, as release_leases_v2.sql reads it. */
export interface ReleaseLeasesV2Record {
  id: string | null | undefined;
  lease: string | null | undefined;
  renewed: boolean | null | undefined;
  held: boolean | null | undefined;
  delay_ms: number | null | undefined;
}
