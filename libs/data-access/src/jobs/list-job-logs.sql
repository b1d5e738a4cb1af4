/* @name listJobLogs */
-- Log lines of a job in the order in which they were written, after a position.
-- :attempt, :leaseId null = any.
-- Relies on the primary key of job_logs.
SELECT l.run, l.number, l.attempt, l.lease_id, l.at, l.level, l.message, l.fields
FROM job_logs l
WHERE l.organization_id = :organizationId! AND l.job_id = :id! AND (l.run, l.number) > (:afterRun!::integer, :afterNumber!::integer)
  AND (:attempt::integer IS NULL OR l.attempt = :attempt) AND (:leaseId::uuid IS NULL OR l.lease_id = :leaseId)
ORDER BY l.run, l.number
LIMIT :limit!;

/* @name listLoggedAttempts */
-- The attempts of a job that have lines, the oldest first. The newest line of each has its sums.
-- Relies on the primary key of job_logs.
SELECT DISTINCT ON (l.run) l.attempt, l.lease_id, l.kept, l.reported - l.kept AS "omitted!"
FROM job_logs l
WHERE l.organization_id = :organizationId! AND l.job_id = :id!
ORDER BY l.run, l.number DESC;
