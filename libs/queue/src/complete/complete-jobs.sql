/* @name completeJobs */
SELECT complete_jobs_v1(
  :organizations!, :counts!, :numbers!, :ids!, :workers!, :leases!, :scopes, :renewed, :results) AS "answer!";
