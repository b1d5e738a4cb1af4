/* @name findSampledDepth */
-- The live jobs of a queue as of the last sample; no row when the queue was not kept apart, or when no sample was taken for a minute.
-- A queue where nothing happens has a row at each full minute only.
-- Relies on the primary keys of queue_series and series_samples.
SELECT q.pending AS "pending!", q.scheduled AS "scheduled!", q.processing AS "processing!"
FROM (SELECT max(at) AS at FROM series_samples WHERE step = 10) AS last
CROSS JOIN LATERAL (
  SELECT q.at, q.pending, q.scheduled, q.processing FROM queue_series q
  WHERE q.organization_id = :organizationId! AND q.step = 10 AND q.queue_name = :queueName! AND q.at > last.at - interval '1 minute'
  ORDER BY q.at DESC LIMIT 1
) AS q
WHERE last.at > current_ts() - interval '80 seconds' AND NOT EXISTS (
  SELECT FROM queue_series o
  WHERE o.organization_id = :organizationId! AND o.step = 10 AND o.queue_name = '' AND o.at > q.at AND o.at <= last.at AND o.left_out > 0);
