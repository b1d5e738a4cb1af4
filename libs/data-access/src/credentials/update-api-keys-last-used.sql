/* @name updateApiKeysLastUsed */
-- Updates last_used of API keys, at most once per key in 300 seconds across all processes.
-- Index: api_keys_pkey.
UPDATE api_keys
SET last_used = current_ts()
WHERE id = ANY (:ids!::uuid[])
  AND (last_used IS NULL OR last_used < current_ts() - interval '300 seconds');
