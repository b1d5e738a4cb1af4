-- The members of an object that another does not have or has with another value; of members that are objects in both, their members.
CREATE OR REPLACE FUNCTION changed_members_v1(document jsonb, other jsonb) RETURNS jsonb
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT coalesce(jsonb_object_agg(m.key, CASE
    WHEN jsonb_typeof(m.value) = 'object' AND jsonb_typeof(other -> m.key) = 'object' THEN (
      SELECT coalesce(jsonb_object_agg(n.key, n.value), '{}') FROM jsonb_each(m.value) AS n
      WHERE n.value IS DISTINCT FROM other -> m.key -> n.key)
    ELSE m.value END), '{}')
  FROM jsonb_each(document) AS m WHERE m.value IS DISTINCT FROM other -> m.key
$$;
