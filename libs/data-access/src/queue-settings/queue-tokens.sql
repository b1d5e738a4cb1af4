/* @name takeQueueTokens */
-- Takes up to :wanted tokens from the bucket of a queue; a negative number returns tokens. The bucket holds one second's tokens, at
-- least one, and is refilled continuously. No row: the queue has been deleted. Index: primary keys.
INSERT INTO queue_tokens AS t (organization_id, queue_name, tokens, taken, refilled_at)
SELECT c.organization_id, c.queue_name, fresh.tokens - greatest(0, fresh.taken), fresh.taken, current_ts(clock_timestamp())
FROM queue_config c CROSS JOIN (
  SELECT greatest(1, :ratePerSecond!::float8) AS tokens, least(:wanted!::float8, floor(greatest(1, :ratePerSecond!::float8))) AS taken
) AS fresh
WHERE c.organization_id = :organizationId! AND c.queue_name = :queueName!
ON CONFLICT (organization_id, queue_name) DO UPDATE SET
  -- The time of another transaction may be later: this one waited for the row.
  refilled_at = greatest(t.refilled_at, excluded.refilled_at),
  (tokens, taken) = (
    SELECT least(greatest(1, :ratePerSecond!::float8), available - least(:wanted!::float8, floor(available))),
      least(:wanted!::float8, floor(available))
    FROM (SELECT least(greatest(1, :ratePerSecond!::float8), t.tokens
      + greatest(0, extract(epoch FROM excluded.refilled_at - t.refilled_at)::float8) * :ratePerSecond!::float8) AS available) AS bucket
  )
RETURNING tokens, taken;

/* @name readQueueTokens */
-- The tokens in the bucket of a queue, null if it was never used; takes none. Index: primary key.
SELECT tokens + extract(epoch FROM current_ts(clock_timestamp()) - refilled_at)::float8 * :ratePerSecond!::float8 AS "tokens!"
FROM queue_tokens WHERE organization_id = :organizationId! AND queue_name = :queueName!;
