/** A record of `items`, as append_job_logs_v1.sql reads it. */
export interface AppendJobLogsV1ItemsRecord {
  command: number | null | undefined;
  id: string | null | undefined;
  worker: string | null | undefined;
  lease: string | null | undefined;
  scope: string[] | null | undefined;
  renewed: boolean | null | undefined;
  lines: unknown;
}

/** A record of `lines`, as append_job_logs_v1.sql reads it. */
export interface AppendJobLogsV1LinesRecord {
  number: number | null | undefined;
  age: number | null | undefined;
  level: string | null | undefined;
  message: string | null | undefined;
  fields: string | null | undefined;
}
