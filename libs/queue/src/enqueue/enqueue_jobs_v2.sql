-- Inserts the jobs of many callers and tenants in one call (BX-10); a few statements for each organization, none that reads history.
--
-- Input:
--   batch               [part], in order of organization; see enqueue_part_v2. A part whose command may be refused (guarded: it has a
--                       quota or a parent) holds one command only and is undone alone.
--   server_max_retries  for jobs that say nothing, in queues that say nothing
--   server_timeout      seconds, likewise
-- Output:
--   {now, hits: [{number, id}], refused: [{command, why: 'quota' | 'parent', resource?, current?, limit?}],
--    cancelled: [{id, queue, old}], deliveries: [{id, organization}]}
--   hits: jobs that exist already under their idempotency key; cancelled: children whose parent cannot complete
CREATE OR REPLACE FUNCTION enqueue_jobs_v2(batch json, server_max_retries integer, server_timeout integer) RETURNS jsonb
  LANGUAGE plpgsql
AS $$
DECLARE
  part json;
  done jsonb;
  hits jsonb := '[]';
  refused jsonb := '[]';
  cancelled jsonb := '[]';
  deliveries jsonb := '[]';
BEGIN
  FOR part IN SELECT value FROM json_array_elements(batch) LOOP
    IF (part ->> 'guarded')::boolean THEN
      BEGIN
        done := enqueue_part_v2(part, server_max_retries, server_timeout);
      EXCEPTION
        WHEN SQLSTATE 'SPQ01' THEN
          refused := refused || (SQLERRM::jsonb || jsonb_build_object('command', part -> 'command', 'why', 'quota'));
          CONTINUE;
        WHEN SQLSTATE 'SPP01' THEN
          refused := refused || jsonb_build_object('command', part -> 'command', 'why', 'parent');
          CONTINUE;
      END;
    ELSE
      done := enqueue_part_v2(part, server_max_retries, server_timeout);
    END IF;
    hits := hits || (done -> 'hits');
    cancelled := cancelled || (done -> 'cancelled');
    deliveries := deliveries || (done -> 'deliveries');
  END LOOP;
  RETURN jsonb_build_object('now', now(), 'hits', hits, 'refused', refused, 'cancelled', cancelled, 'deliveries', deliveries);
END
$$;
