-- Inserts the jobs of many callers and tenants in one call (BX-10); a few statements for each organization, none that reads history.
--
-- Input:
--   heads               [head], in order of organization; see enqueue_part_v1. A part whose command may be refused (guarded: it has a
--                       quota or a parent) holds one command only and is undone alone.
--   lists               [[job]], the jobs of each head
--   server_max_retries  for jobs that say nothing, in queues that say nothing
--   server_timeout      seconds, likewise
-- Output:
--   {now, hits: [{number, id}], refused: [{command, why: 'quota' | 'parent' | 'receiver', …}],
--    linked: [{organization, released: [{id, queue}], cancelled: [{id, queue, old}]}], deliveries: [{id, organization}]}
--   refused: with what check_job_quota_v1 or refused_receivers_v1 says
--   hits: jobs that exist already under their idempotency key; linked: children whose parent has ended
CREATE OR REPLACE FUNCTION enqueue_jobs_v1(heads json, lists json, server_max_retries integer, server_timeout integer) RETURNS jsonb
  LANGUAGE plpgsql
AS $$
DECLARE
  head json;
  list json;
  done jsonb;
  hits jsonb := '[]';
  refused jsonb := '[]';
  linked jsonb := '[]';
  deliveries jsonb := '[]';
BEGIN
  FOR head, list IN SELECT h, l FROM ROWS FROM (json_array_elements(heads), json_array_elements(lists)) AS parts(h, l) LOOP
    IF (head ->> 'guarded')::boolean THEN
      BEGIN
        done := enqueue_part_v1(head, list, server_max_retries, server_timeout);
      EXCEPTION
        WHEN SQLSTATE 'SPQ01' THEN
          refused := refused || (SQLERRM::jsonb || jsonb_build_object('command', head -> 'command', 'why', 'quota'));
          CONTINUE;
        WHEN SQLSTATE 'SPP01' THEN
          refused := refused || jsonb_build_object('command', head -> 'command', 'why', 'parent');
          CONTINUE;
      END;
    ELSE
      done := enqueue_part_v1(head, list, server_max_retries, server_timeout);
    END IF;
    refused := refused || (done -> 'refused');
    hits := hits || (done -> 'hits');
    IF (head ->> 'parented')::boolean THEN
      linked := linked || (done -> 'linked');
    END IF;
    deliveries := deliveries || (done -> 'deliveries');
  END LOOP;
  RETURN jsonb_build_object('now', current_ts(), 'hits', hits, 'refused', refused, 'linked', linked, 'deliveries', deliveries);
END
$$;
