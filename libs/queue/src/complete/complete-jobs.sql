/* @name completeJobs */
-- As text: where rows are read as JSON, in transactions of applications, a column of json would not be one.
SELECT complete_jobs_v1(
  :organizations!, :counts!, :numbers!, :ids!, :workers!, :leases!, :scopes, :renewed, :results)::text AS "answer!";
