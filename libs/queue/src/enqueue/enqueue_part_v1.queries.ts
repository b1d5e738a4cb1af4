/** A record of `list`, as enqueue_part_v1.sql reads it. */
export interface EnqueuePartV1Record {
  number: number | null | undefined;
  id: string | null | undefined;
  idempotency_key: string | null | undefined;
  queue: string | null | undefined;
  payload: unknown;
  payload_base64: string | null | undefined;
  job_type: string | null | undefined;
  priority: number | null | undefined;
  max_retries: number | null | undefined;
  timeout_seconds: number | null | undefined;
  scheduled_at: string | null | undefined;
  expires_at: string | null | undefined;
  tags: unknown;
  parent_job_id: string | null | undefined;
  completion_webhook: string | null | undefined;
  completion_webhook_secret: string | null | undefined;
  traceparent: string | null | undefined;
  created_by: string | null | undefined;
  settings: unknown;
}
