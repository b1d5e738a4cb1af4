/** A record of `items`, as record_inbound_v1.sql reads it. */
export interface RecordInboundV1Record {
  id: string | null | undefined;
  provider: string | null | undefined;
  event_type: string | null | undefined;
  queue: string | null | undefined;
  job: string | null | undefined;
  status: string | null | undefined;
}
