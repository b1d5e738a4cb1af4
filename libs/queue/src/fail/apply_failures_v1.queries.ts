/** A record of `items`, as apply_failures_v1.sql reads it. */
export interface ApplyFailuresV1Record {
  id: string | null | undefined;
  error: string | null | undefined;
  event: string | null | undefined;
  delay_ms: number | null | undefined;
}
