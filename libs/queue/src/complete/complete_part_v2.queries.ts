/** A record of `items`, as complete_part_v2.sql reads it. */
export interface CompletePartV2Record {
  command: number | null | undefined;
  id: string | null | undefined;
  worker: string | null | undefined;
  lease: string | null | undefined;
  scope: string[] | null | undefined;
  renewed: boolean | null | undefined;
  result: unknown;
  result_base64: string | null | undefined;
}
