/** A record of `items`, as record_events_v1.sql reads it. */
export interface RecordEventsV1Record {
  id: string | null | undefined;
  data: unknown;
}
