/** A record of `items`, as record_cancellations_v1.sql reads it. */
export interface RecordCancellationsV1Record {
  id: string | null | undefined;
  queue: string | null | undefined;
  old_status: string | null | undefined;
  reason: string | null | undefined;
  cascades: boolean | null | undefined;
}
