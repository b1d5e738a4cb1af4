-- A document in which the values of members are replaced whose names say that they are secret, on every level.
CREATE OR REPLACE FUNCTION without_secrets_v1(document jsonb) RETURNS jsonb
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
AS $$
BEGIN
  IF jsonb_typeof(document) = 'array' THEN
    RETURN coalesce((SELECT jsonb_agg(without_secrets_v1(value) ORDER BY place)
      FROM jsonb_array_elements(document) WITH ORDINALITY AS e (value, place)), '[]');
  ELSIF jsonb_typeof(document) <> 'object' THEN
    RETURN document;
  END IF;
  RETURN coalesce((
    SELECT jsonb_object_agg(key, CASE
      WHEN value <> 'null' AND key ~* '(secret|token|password|passwd|credential|authorization|api_?key|private_?key)' THEN '"[secret]"'
      ELSE without_secrets_v1(value) END)
    FROM jsonb_each(document)), '{}');
END
$$;
