/* @name groupDeadLetters */
-- Gives their group to dead letters of releases that had none. Relies on: dead_letters_ungrouped, primary key of jobs.
WITH chosen AS MATERIALIZED (
  SELECT job_id FROM dead_letters WHERE group_id IS NULL ORDER BY job_id LIMIT :limit! FOR UPDATE SKIP LOCKED
), named AS (
  SELECT c.job_id, coalesce(j.job_type, '') AS job_type, j.last_error
  FROM chosen c LEFT JOIN LATERAL (SELECT job_type, last_error FROM jobs WHERE id = c.job_id OFFSET 0) AS j ON true
), grouped AS (
  UPDATE dead_letters d SET job_type = n.job_type, group_id = dead_letter_group_v1(d.queue_name, n.job_type, n.last_error)
  FROM named n WHERE d.job_id = n.job_id RETURNING d.job_id
)
SELECT count(*) AS "grouped!" FROM grouped;
