/** A record of `items`, as record_steps_v1.sql reads it. */
export interface RecordStepsV1Record {
  command: number | null | undefined;
  id: string | null | undefined;
  worker: string | null | undefined;
  lease: string | null | undefined;
  scope: string[] | null | undefined;
  renewed: boolean | null | undefined;
  name: string | null | undefined;
  result: string | null | undefined;
}
