/* @name noteApiKeyUse */
-- Writes when keys were last used, at most every 300 seconds a key over all processes.
-- Index: api_keys_pkey.
UPDATE api_keys
SET last_used = now()
WHERE id = ANY (:ids!::uuid[])
  AND (last_used IS NULL OR last_used < now() - interval '300 seconds');
