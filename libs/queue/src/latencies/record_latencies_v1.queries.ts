/** A record of `queues`, as record_latencies_v1.sql reads it. */
export interface RecordLatenciesV1Record {
  queue: string | null | undefined;
  wait_buckets: number[] | null | undefined;
  wait_jobs: number[] | null | undefined;
  run_buckets: number[] | null | undefined;
  run_jobs: number[] | null | undefined;
}
