-- An error message without what differs from one occurrence to the next, so that equal causes give equal texts: UUIDs, quoted texts,
-- hexadecimal numbers, ids of letters and digits, and all other digits become `#`. Numbers of up to three digits stay after a word that
-- makes them a code: HTTP 404 and HTTP 500 are two causes. The only declaration of the rule.
--
-- Input:
--   error  as a worker reported it; null or empty: a job that died without a message
-- Output: at most 300 characters
CREATE OR REPLACE FUNCTION normalized_error_v1(error text) RETURNS text
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
DECLARE
  -- They take at most 0.5 ms; what follows is the rest of a stack trace.
  rest text := translate(left(coalesce(error, ''), 1000), E'\x01', ' ');
BEGIN
  rest := regexp_replace(rest, '\m[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\M', '#', 'gi');
  rest := regexp_replace(rest, '"[^"]*"', '"#"', 'g');
  rest := regexp_replace(rest, '`[^`]*`', '`#`', 'g');
  -- Not the apostrophe within a word.
  rest := regexp_replace(rest, '(?<![[:alnum:]])''[^'']*''(?![[:alnum:]])', '''#''', 'g');
  rest := regexp_replace(rest, '\m0x[0-9a-f]+\M', '#', 'gi');
  rest := regexp_replace(rest, '\m(?=[a-f]*[0-9])[0-9a-f]{8,}\M', '#', 'gi');
  -- Digits in two places of one word: an id such as ord_8f3kd92.
  rest := regexp_replace(rest, '\m[[:alpha:]_]*[0-9]+[[:alpha:]_]+[0-9][[:alnum:]_]*', '#', 'g');
  -- A code is marked, and loses the mark with the # that follows it: a lookbehind at each number is three times as slow.
  rest := regexp_replace(
    rest, '(\m(status|status_?code|code|error_?code|http|http_?status|smtp|errno)(/[0-9.]+)?[^[:alnum:]]{0,3})([0-9]{1,3})(?![0-9])',
    E'\\1\x01\\4', 'gi');
  rest := regexp_replace(rest, E'(\x01[0-9]+)|[0-9]+([.,:][0-9]+)*', '\1#', 'g');
  rest := regexp_replace(rest, E'\x01([0-9]+)#', '\1', 'g');
  rest := btrim(regexp_replace(rest, '\s+', ' ', 'g'));
  RETURN left(rest, 300);
END
$$;
