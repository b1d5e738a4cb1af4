/** A record of `list`, as refused_receivers_v1.sql reads it. */
export interface RefusedReceiversV1Record {
  number: number | null | undefined;
  command: number | null | undefined;
  queue: string | null | undefined;
  settings: unknown;
}
