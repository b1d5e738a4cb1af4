/* @name findQueueRate */
-- Jobs a second that a queue of the current organization may give out; null or no row = no limit.
SELECT rate_limit FROM queue_config WHERE organization_id = current_organization() AND queue_name = :queueName!;
