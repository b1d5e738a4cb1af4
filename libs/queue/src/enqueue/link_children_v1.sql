-- Writes the edges of new children, then unblocks those whose parent has completed and cancels those whose parent cannot.
--
-- Input:
--   org
--   list  the jobs of enqueue_part_v1 that it has created
-- Output: {organization, released: [{id, queue}], cancelled: [{id, queue, old}]}; with older children that missed the end of their parent
CREATE OR REPLACE FUNCTION link_children_v1(org uuid, list json) RETURNS jsonb
  LANGUAGE plpgsql SET enable_seqscan = off
AS $$
DECLARE
  parents uuid[] := ARRAY(
    SELECT DISTINCT j.parent_job_id FROM json_to_recordset(list) AS j(parent_job_id uuid) WHERE j.parent_job_id IS NOT NULL);
  completed uuid[];
  dead uuid[];
  released jsonb := '[]';
  cancelled jsonb := '[]';
BEGIN
  INSERT INTO job_dependencies (organization_id, job_id, depends_on_job_id)
  SELECT org, j.id, j.parent_job_id FROM json_to_recordset(list) AS j(id uuid, parent_job_id uuid)
  WHERE j.parent_job_id IS NOT NULL
  ON CONFLICT DO NOTHING;
  SELECT array_agg(id) FILTER (WHERE outcome = 'completed'), array_agg(id) FILTER (WHERE outcome <> 'completed')
  INTO completed, dead FROM jobs WHERE id = ANY (parents);
  IF completed IS NOT NULL THEN
    released := release_dependents_v1(org, completed);
  END IF;
  IF dead IS NOT NULL THEN
    cancelled := cancel_dependents_v1(org, dead);
  END IF;
  RETURN jsonb_build_object('organization', org, 'released', released, 'cancelled', cancelled);
END
$$;
