/* @name recordIsolationCheck */
-- :tookMs since the check began. :findings [{table, problem}].
INSERT INTO isolation_checks (started_at, version, passed, tables_checked, findings, tables_not_checked)
VALUES (current_ts(clock_timestamp()) - make_interval(secs => :tookMs!::float8 / 1000), :version!, :passed!, :tablesChecked!, :findings!,
  :tablesNotChecked!::text[])
RETURNING id, started_at, finished_at, version, passed, tables_checked, findings, tables_not_checked;

/* @name trimIsolationChecks */
-- Deletes all but the newest :kept.
DELETE FROM isolation_checks WHERE id IN (SELECT id FROM isolation_checks ORDER BY id DESC OFFSET :kept!);

/* @name listIsolationChecks */
-- Newest first. :after the id of the last one of the previous page, null = the first page.
SELECT id, started_at, finished_at, version, passed, tables_checked, findings, tables_not_checked
FROM isolation_checks WHERE (:after::uuid IS NULL OR id < :after) ORDER BY id DESC LIMIT :limit! OFFSET :offset!;

/* @name findLatestIsolationCheck */
-- None before the first check. :version of the service that asks.
SELECT finished_at AS "finished_at!", passed AS "passed!", (extract(epoch FROM current_ts() - started_at) * 1000)::float8 AS "age_ms!",
  EXISTS (SELECT FROM isolation_checks WHERE version = :version!) AS "checked_by_version!"
FROM isolation_checks ORDER BY id DESC LIMIT 1;
