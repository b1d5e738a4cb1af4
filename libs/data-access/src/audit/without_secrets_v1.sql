-- A document without secrets, on every level: values of members whose names say that they are secret, and what follows the host in
-- URLs, which many receivers use as a credential; a hash shows whether it changed.
CREATE OR REPLACE FUNCTION without_secrets_v1(document jsonb) RETURNS jsonb
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
AS $$
DECLARE
  url text;
BEGIN
  CASE jsonb_typeof(document)
    WHEN 'array' THEN
      RETURN coalesce((SELECT jsonb_agg(without_secrets_v1(value) ORDER BY place)
        FROM jsonb_array_elements(document) WITH ORDINALITY AS e (value, place)), '[]');
    WHEN 'object' THEN
      RETURN coalesce((
        SELECT jsonb_object_agg(key, CASE
          WHEN value <> 'null' AND key ~* '(secret|token|password|passwd|credential|authorization|api_?key|private_?key)' THEN '"[secret]"'
          ELSE without_secrets_v1(value) END)
        FROM jsonb_each(document)), '{}');
    WHEN 'string' THEN
      url := document #>> '{}';
      IF url !~* '^[a-z]+://([^/?#]*@|[^/?#]+[/?#].)' THEN
        RETURN document;
      END IF;
      RETURN to_jsonb(regexp_replace(url, '^([a-zA-Z]+://)(?:[^/?#]*@)?([^/?#]*).*$', '\1\2') || '/[' || left(md5(url), 8) || ']');
    ELSE
      RETURN document;
  END CASE;
END
$$;
