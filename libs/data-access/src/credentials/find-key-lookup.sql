/* @name findKeyLookup */
SELECT key_lookup FROM api_keys WHERE id = :id!;
