/** A record of `items`, as report_progress_v1.sql reads it. */
export interface ReportProgressV1Record {
  id: string | null | undefined;
  command: number | null | undefined;
  worker: string | null | undefined;
  lease: string | null | undefined;
  scope: string[] | null | undefined;
  renewed: boolean | null | undefined;
  progress: number | null | undefined;
  message: string | null | undefined;
}
