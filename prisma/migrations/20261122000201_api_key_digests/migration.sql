-- What verifies an API key: a keyed hash, `<name of the pepper>:<HMAC-SHA-256>`. Null for keys of earlier versions until their next use.
-- key_hash stays for gateways of the previous version, which verify the keys that have one by bcrypt; new keys have none, which is ''.
ALTER TABLE api_keys ADD COLUMN key_digest text;
