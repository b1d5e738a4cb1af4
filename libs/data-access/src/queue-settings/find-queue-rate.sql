/* @name findQueueRate */
-- The rate limit of a queue of the current organization in claimed jobs per second; null or no row = no limit.
SELECT rate_limit FROM queue_config WHERE organization_id = current_organization() AND queue_name = :queueName!;
