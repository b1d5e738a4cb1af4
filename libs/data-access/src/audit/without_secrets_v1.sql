-- A document without secrets, on every level. A member whose name says that it is secret is hidden with all that is below it. So is
-- what follows the host in URLs, which many receivers use as a credential; a hash shows whether it changed.
--
-- The names are `secretNamePattern` of libs/domain, which SQL cannot import; a spec compares the two.
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
          WHEN value <> 'null'
            AND key ~* 'secret|token|passw(or)?d|passphrase|passcode|credential|authori[sz]ation|cookie|header|signature|connection_?string|(api|access|admin|encryption|hmac|master|private|shared|signing|ssh|webhook)[_.-]?key|(^|[^a-z])(o?auth|bearer|dsn|jwt|otp|pass|pin|pwd|sig)([^a-z]|$)'
            THEN '"[secret]"'
          ELSE without_secrets_v1(value) END)
        FROM jsonb_each(document)), '{}');
    WHEN 'string' THEN
      url := document #>> '{}';
      -- Readers of URLs accept blanks before them, backslashes, and http without slashes.
      IF url !~* '^\s*([a-z][a-z0-9+.-]*:[/\\]{2}|https?:)[/\\]*([^/?#\\]*@|[^/?#\\]+[/?#\\].)' THEN
        RETURN document;
      END IF;
      RETURN to_jsonb(regexp_replace(
        url, '^\s*([a-z][a-z0-9+.-]*:[/\\]*)(?:[^/?#\\]*@)?(\[[0-9a-f:.]*\]|[^/?#\\:]*)((?::[0-9]+)?).*$', '\1\2\3', 'i')
        || '/[' || left(md5(url), 8) || ']');
    ELSE
      RETURN document;
  END CASE;
END
$$;
