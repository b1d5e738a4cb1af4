/* @name recordIsolationCheck */
-- :tookMs since the check began. :findings [{table, problem}].
INSERT INTO isolation_checks (started_at, version, passed, tables_checked, findings, tables_not_checked)
VALUES (current_ts(clock_timestamp()) - make_interval(secs => :tookMs!::float8 / 1000), :version!, :passed!, :tablesChecked!, :findings!,
  :tablesNotChecked!::text[])
RETURNING id, started_at, finished_at, version, passed, tables_checked, findings, tables_not_checked;

/* @name trimIsolationChecks */
-- Deletes all but the newest :kept and the one whose result findLatestIsolationCheck returns, however many incomplete ones follow it.
DELETE FROM isolation_checks WHERE id IN (SELECT id FROM isolation_checks ORDER BY id DESC OFFSET :kept!) AND id <> ALL (ARRAY(
  SELECT id FROM isolation_checks WHERE NOT passed OR tables_not_checked = '{}' ORDER BY id DESC LIMIT 1));

/* @name listIsolationChecks */
-- Newest first. :after the id of the last one of the previous page, null = the first page.
SELECT id, started_at, finished_at, version, passed, tables_checked, findings, tables_not_checked
FROM isolation_checks WHERE (:after::uuid IS NULL OR id < :after) ORDER BY id DESC LIMIT :limit! OFFSET :offset!;

/* @name findLatestIsolationCheck */
-- None before the first check. :version of the service that asks. A check without findings says nothing about tables that it left out, so
-- `passed` and `finished_at` are of the latest one that found something or read every table; null before one.
SELECT (extract(epoch FROM current_ts() - latest.started_at) * 1000)::float8 AS "age_ms!",
  latest.tables_not_checked = '{}' AS "is_complete!", EXISTS (SELECT FROM isolation_checks WHERE version = :version!) AS "checked_by_version!",
  result.passed AS "passed?", result.finished_at AS "finished_at?"
FROM (SELECT started_at, tables_not_checked FROM isolation_checks ORDER BY id DESC LIMIT 1) AS latest
LEFT JOIN (SELECT passed, finished_at FROM isolation_checks WHERE NOT passed OR tables_not_checked = '{}' ORDER BY id DESC LIMIT 1) AS result ON true;
