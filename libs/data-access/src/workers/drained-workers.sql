/* @name listDrainedWorkers */
-- Workers that were told to drain: of each organization the :perOrganization that were told last, and of these :most in all. Organizations
-- with the most are the first of which older ones are left out. With many organizations fewer of each are read, so that at most about
-- four times :most are: 40,000 took 0.1 s.
-- Relies on workers_drained_newest, in which it goes from organization to organization; its whole order, because no other index has it.
WITH RECURSIVE draining AS (
  (
    SELECT organization_id FROM workers WHERE status = 'draining' AND drain_requested_at IS NOT NULL
    ORDER BY organization_id, drain_requested_at DESC, id LIMIT 1
  )
  UNION ALL
  SELECT next.organization_id FROM draining d CROSS JOIN LATERAL (
    SELECT w.organization_id FROM workers w
    WHERE w.status = 'draining' AND w.drain_requested_at IS NOT NULL AND w.organization_id > d.organization_id
    ORDER BY w.organization_id, w.drain_requested_at DESC, w.id LIMIT 1
  ) AS next
)
SELECT d.organization_id AS "organization_id!", newest.id AS "id!"
FROM draining d CROSS JOIN LATERAL (
  SELECT o.id, row_number() OVER (ORDER BY o.drain_requested_at DESC, o.id) AS place FROM workers o
  WHERE o.status = 'draining' AND o.drain_requested_at IS NOT NULL AND o.organization_id = d.organization_id
  ORDER BY o.drain_requested_at DESC, o.id
  LIMIT least(:perOrganization!::bigint, greatest(4 * :most!::bigint / (SELECT count(*) FROM draining), 1))
) AS newest
ORDER BY newest.place LIMIT :most!;
