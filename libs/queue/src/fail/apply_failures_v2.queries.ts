/** A record of `items`, as apply_failures_v2.sql reads it. */
export interface ApplyFailuresV2Record {
  id: string | null | undefined;
  error: string | null | undefined;
  event: string | null | undefined;
  delay_ms: number | null | undefined;
}
