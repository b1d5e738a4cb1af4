-- As enqueue_jobs_v3, for services of the previous release.
--
-- Input:
--   batch  [part]; a part is a head of enqueue_jobs_v3 with its jobs, {…, jobs: [job]}
--   server_max_retries, server_timeout  as for enqueue_jobs_v3
-- Output: as of enqueue_jobs_v3
CREATE OR REPLACE FUNCTION enqueue_jobs_v2(batch json, server_max_retries integer, server_timeout integer) RETURNS jsonb
  LANGUAGE plpgsql
AS $$
BEGIN
  RETURN enqueue_jobs_v3(
    batch, (SELECT json_agg(part -> 'jobs') FROM json_array_elements(batch) AS part), server_max_retries, server_timeout);
END
$$;
