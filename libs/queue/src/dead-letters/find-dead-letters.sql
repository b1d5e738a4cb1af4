/* @name findDeadLetters */
-- The oldest first. :ids and :queueName null = any. Relies on: dead_letters_oldest.
SELECT job_id FROM dead_letters
WHERE organization_id = :organizationId! AND (:ids::uuid[] IS NULL OR job_id = ANY (:ids))
  AND (:queueName::text IS NULL OR queue_name = :queueName)
ORDER BY created_at, job_id LIMIT :limit!;
