/* @name matchSearch */
-- Which of the jobs :ids, in this order, meet all conditions of a search, and the last one that was examined. Examines jobs until their
-- payloads have :maxBytes bytes, counted without reading them. :queues, :statuses, :tag, :jobType, :text, :createdAfter and :createdBefore
-- null = any; :terms as for job_meets_terms_v1.
SELECT e.id AS "id!", e.created_at AS "created_at!", e.meets AS "meets!", e.read_bytes AS "readBytes!"
FROM (
  SELECT s.id, s.created_at, s.place, s.read_bytes, max(s.place) OVER () AS last,
    (:queues::text[] IS NULL OR s.queue_name = ANY (:queues))
      AND (:statuses::text[] IS NULL OR s.status = ANY (:statuses))
      AND (:createdAfter::timestamptz IS NULL OR s.created_at >= :createdAfter)
      AND (:createdBefore::timestamptz IS NULL OR s.created_at < :createdBefore)
      AND job_matches_v1(s.id, s.queue_name, s.job_type, s.tags, :tag::text, :jobType::text, :text::text)
      AND job_meets_terms_v1(s.id, s.queue_name, s.status, s.job_type, s.tags, s.payload, s.last_error, s.assigned_worker_id,
        s.idempotency_key, :terms!) AS meets
  FROM (
    SELECT r.id, r.queue_name, r.status, r.job_type, r.tags, r.payload, r.last_error, r.assigned_worker_id, r.idempotency_key,
      r.created_at, c.place,
      octet_length(r.payload::text) AS own_bytes, sum(octet_length(r.payload::text)) OVER (ORDER BY c.place)::bigint AS read_bytes
    FROM unnest(:ids!::uuid[]) WITH ORDINALITY AS c (id, place)
    JOIN job_records r ON r.id = c.id AND r.organization_id = :organizationId!
  ) AS s
  WHERE s.read_bytes - s.own_bytes < :maxBytes!
) AS e
WHERE e.meets OR e.place = e.last
ORDER BY e.place;

/* @name findJobsByKeys */
-- Ids of the jobs of a list that have one of the idempotency keys :keys, by the primary key of idempotency_keys. Other parameters as in
-- listRecords.
SELECT k.job_id AS "id!"
FROM idempotency_keys k
JOIN jobs j ON j.id = k.job_id AND j.organization_id = k.organization_id
WHERE k.organization_id = :organizationId! AND k.idempotency_key = ANY (:keys!::text[])
  AND within_page_v1(j.created_at, j.id, :createdAfter::timestamptz, :createdBefore::timestamptz,
    :afterTime::timestamptz, :afterId::uuid, NULL, NULL, :ascending!)
ORDER BY
  CASE WHEN :ascending! THEN j.created_at END, CASE WHEN :ascending! THEN j.id END,
  CASE WHEN NOT :ascending! THEN j.created_at END DESC, CASE WHEN NOT :ascending! THEN j.id END DESC;
