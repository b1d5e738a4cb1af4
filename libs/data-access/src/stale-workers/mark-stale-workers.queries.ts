/** Types generated for queries found in "libs/data-access/src/stale-workers/mark-stale-workers.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'MarkStaleWorkers' parameters type */
export interface MarkStaleWorkersParams {
  degradedSeconds: number;
  limit: number;
  offlineSeconds: number;
}

/** 'MarkStaleWorkers' return type */
export interface MarkStaleWorkersResult {
  id: string;
  marked_at: string;
  organization_id: string;
  status: string;
}

/** 'MarkStaleWorkers' query type */
export interface MarkStaleWorkersQuery {
  params: MarkStaleWorkersParams;
  result: MarkStaleWorkersResult;
}

const markStaleWorkersIR: any = {"usedParamSet":{"offlineSeconds":true,"degradedSeconds":true,"limit":true},"params":[{"name":"offlineSeconds","required":true,"transform":{"type":"scalar"},"locs":[{"a":259,"b":274},{"a":482,"b":497}]},{"name":"degradedSeconds","required":true,"transform":{"type":"scalar"},"locs":[{"a":385,"b":401}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":533,"b":539}]}],"statement":"-- Marks workers without recent heartbeats as degraded, later as offline. A draining worker stays draining until it is offline.\n-- Index: workers_alive.\nWITH stale AS MATERIALIZED (\n  SELECT organization_id, id, last_heartbeat < now() - make_interval(secs => :offlineSeconds!) AS is_offline\n  FROM workers\n  WHERE status <> 'offline' AND last_heartbeat < now() - make_interval(secs => :degradedSeconds!)\n    AND (status = 'healthy' OR last_heartbeat < now() - make_interval(secs => :offlineSeconds!))\n  ORDER BY last_heartbeat LIMIT :limit! FOR UPDATE SKIP LOCKED\n)\nUPDATE workers w\nSET status = CASE WHEN s.is_offline THEN 'offline' ELSE 'degraded' END, current_jobs = CASE WHEN s.is_offline THEN 0 ELSE w.current_jobs END,\n  updated_at = now()\nFROM stale s WHERE w.organization_id = s.organization_id AND w.id = s.id\nRETURNING w.id, w.organization_id, w.status, now() AS \"marked_at!\""};

/**
 * Query generated from SQL:
 * ```
 * -- Marks workers without recent heartbeats as degraded, later as offline. A draining worker stays draining until it is offline.
 * -- Index: workers_alive.
 * WITH stale AS MATERIALIZED (
 *   SELECT organization_id, id, last_heartbeat < now() - make_interval(secs => :offlineSeconds!) AS is_offline
 *   FROM workers
 *   WHERE status <> 'offline' AND last_heartbeat < now() - make_interval(secs => :degradedSeconds!)
 *     AND (status = 'healthy' OR last_heartbeat < now() - make_interval(secs => :offlineSeconds!))
 *   ORDER BY last_heartbeat LIMIT :limit! FOR UPDATE SKIP LOCKED
 * )
 * UPDATE workers w
 * SET status = CASE WHEN s.is_offline THEN 'offline' ELSE 'degraded' END, current_jobs = CASE WHEN s.is_offline THEN 0 ELSE w.current_jobs END,
 *   updated_at = now()
 * FROM stale s WHERE w.organization_id = s.organization_id AND w.id = s.id
 * RETURNING w.id, w.organization_id, w.status, now() AS "marked_at!"
 * ```
 */
export const markStaleWorkers = new PreparedQuery<MarkStaleWorkersParams,MarkStaleWorkersResult>(markStaleWorkersIR);


