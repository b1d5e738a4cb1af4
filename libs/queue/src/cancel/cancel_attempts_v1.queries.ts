/** A record of `items`, as cancel_attempts_v1.sql reads it. */
export interface CancelAttemptsV1Record {
  id: string | null | undefined;
  cause: string | null | undefined;
  error: string | null | undefined;
}
