-- The value at a path of a document, as text; null if PostgreSQL cannot read the document: its JSON functions refuse U+0000 and halves of
-- surrogate pairs anywhere in it, and one such document must not end the search of all others.
CREATE OR REPLACE FUNCTION job_document_text_v1(document json, path text[]) RETURNS text
  LANGUAGE plpgsql IMMUTABLE
AS $$
BEGIN
  RETURN document #>> path;
EXCEPTION WHEN untranslatable_character OR invalid_text_representation THEN
  RETURN NULL;
END
$$;
