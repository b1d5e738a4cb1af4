/* @name completeJobs */
SELECT complete_jobs_v4(
  :organizations!, :counts!, :numbers!, :ids!, :workers!, :leases!, :scopes, :renewed, :results) AS "answer!";
