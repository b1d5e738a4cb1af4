/* @name reportProgress */
-- Where there is a reason (`why`), the report was refused and all columns after it are null.
SELECT
  command AS "command!", why, queue_name AS "queue_name!", worker_id AS "worker_id!", reported_at AS "reported_at!"
FROM report_progress_v1(:batch!);
