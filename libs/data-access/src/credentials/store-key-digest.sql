/* @name storeKeyDigest */
UPDATE api_keys SET key_digest = :digest! WHERE id = :id! AND key_digest IS DISTINCT FROM :digest!;
