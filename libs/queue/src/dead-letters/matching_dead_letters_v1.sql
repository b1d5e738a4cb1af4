-- The dead letters that a filter selects, for lists, counts and operations alike. The only declaration of the filter; the planner
-- inlines it into the statement.
--
-- Input:
--   org
--   scope       queues that the caller may use; empty = all
--   filter      {job_ids?, group_id?, queue_name?, job_type?, dead_after?, dead_before?, cause?, cause_id?, created_after?, created_before?, terms?};
--               absent = any, dead_before and created_before exclusive, cause and cause_id as `part` and `cause` of
--               dead_letter_groups_of_cause_v1, terms as in lists of jobs (job_meets_terms_v1). Queues, types and keys are compared first: they
--               need no record. Records are read by id, 10 µs each; a dead letter has no live row, so the view would add two looks.
--               (OFFSET 0: otherwise the planner may compare them with all jobs of the organization, whatever their status)
--   dead_until  those that died later are left alone: they came after the operation, or are jobs whose replay has failed
CREATE OR REPLACE FUNCTION matching_dead_letters_v1(org uuid, scope text[], filter jsonb, dead_until timestamptz)
  RETURNS TABLE (job_id uuid, queue_name text, group_id uuid, created_at timestamptz, dead_at timestamptz)
  LANGUAGE sql STABLE
AS $$
  SELECT d.job_id, d.queue_name, d.group_id, d.created_at, d.dead_at FROM dead_letters d
  WHERE d.organization_id = org AND d.dead_at <= dead_until
    AND NOT EXISTS (
      SELECT FROM queue_deletions x
      WHERE x.organization_id = org AND x.queue_name = d.queue_name AND d.created_at <= x.deleted_until)
    AND (scope = '{}' OR d.queue_name = ANY (scope))
    AND (filter ->> 'job_ids' IS NULL
      OR d.job_id = ANY (ARRAY(SELECT x::uuid FROM jsonb_array_elements_text(nullif(filter -> 'job_ids', 'null')) AS x)))
    AND (filter ->> 'group_id' IS NULL OR d.group_id = (filter ->> 'group_id')::uuid)
    AND (filter ->> 'queue_name' IS NULL OR d.queue_name = filter ->> 'queue_name')
    AND (filter ->> 'job_type' IS NULL OR d.job_type = filter ->> 'job_type')
    AND (coalesce(filter ->> 'cause', filter ->> 'cause_id') IS NULL OR d.group_id = ANY (ARRAY(
      SELECT dead_letter_groups_of_cause_v1(org, filter ->> 'cause', (filter ->> 'cause_id')::uuid))))
    AND (filter ->> 'dead_after' IS NULL OR d.dead_at >= (filter ->> 'dead_after')::timestamptz)
    AND (filter ->> 'dead_before' IS NULL OR d.dead_at < (filter ->> 'dead_before')::timestamptz)
    AND (filter ->> 'created_after' IS NULL OR d.created_at >= (filter ->> 'created_after')::timestamptz)
    AND (filter ->> 'created_before' IS NULL OR d.created_at < (filter ->> 'created_before')::timestamptz)
    AND (filter #>> '{terms,queues}' IS NULL OR filter #> '{terms,queues}' ? d.queue_name)
    AND (filter #>> '{terms,types}' IS NULL OR filter #> '{terms,types}' ? d.job_type)
    AND (filter #>> '{terms,keys}' IS NULL OR d.job_id = ANY (ARRAY(
      SELECT k.job_id FROM idempotency_keys k
      WHERE k.organization_id = org
        AND k.idempotency_key = ANY (ARRAY(SELECT jsonb_array_elements_text(nullif(filter #> '{terms,keys}', 'null')))))))
    AND (filter ->> 'terms' IS NULL OR EXISTS (
      SELECT FROM jobs r
      WHERE r.id = d.job_id AND r.organization_id = org
        AND job_meets_terms_v1(r.id, r.queue_name, 'deadletter', r.job_type, r.tags, r.payload, r.last_error, r.assigned_worker_id,
          r.idempotency_key, filter -> 'terms')
      OFFSET 0))
$$;
