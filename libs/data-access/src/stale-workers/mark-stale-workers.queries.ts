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

const markStaleWorkersIR: any = {"usedParamSet":{"offlineSeconds":true,"degradedSeconds":true,"limit":true},"params":[{"name":"offlineSeconds","required":true,"transform":{"type":"scalar"},"locs":[{"a":466,"b":481},{"a":703,"b":718}]},{"name":"degradedSeconds","required":true,"transform":{"type":"scalar"},"locs":[{"a":599,"b":615}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":754,"b":760}]}],"statement":"-- Marks workers without recent heartbeats as degraded, later as offline. A draining worker stays draining until it is offline.\n-- Index: workers_alive. The rows are updated by their addresses: by their keys, all workers of an organization may be read for each\n-- (40,000 index entries for 40 workers), where the planner has no statistics of the table yet.\nWITH stale AS MATERIALIZED (\n  SELECT ctid AS address, last_heartbeat < current_ts() - make_interval(secs => :offlineSeconds!) AS is_offline\n  FROM workers\n  WHERE status <> 'offline' AND last_heartbeat < current_ts() - make_interval(secs => :degradedSeconds!)\n    AND (status = 'healthy' OR last_heartbeat < current_ts() - make_interval(secs => :offlineSeconds!))\n  ORDER BY last_heartbeat LIMIT :limit! FOR UPDATE SKIP LOCKED\n)\nUPDATE workers w\nSET status = CASE WHEN s.is_offline THEN 'offline' ELSE 'degraded' END, current_jobs = CASE WHEN s.is_offline THEN 0 ELSE w.current_jobs END,\n  updated_at = current_ts()\nFROM stale s WHERE w.ctid = s.address\nRETURNING w.id, w.organization_id, w.status, current_ts() AS \"marked_at!\""};

/**
 * Query generated from SQL:
 * ```
 * -- Marks workers without recent heartbeats as degraded, later as offline. A draining worker stays draining until it is offline.
 * -- Index: workers_alive. The rows are updated by their addresses: by their keys, all workers of an organization may be read for each
 * -- (40,000 index entries for 40 workers), where the planner has no statistics of the table yet.
 * WITH stale AS MATERIALIZED (
 *   SELECT ctid AS address, last_heartbeat < current_ts() - make_interval(secs => :offlineSeconds!) AS is_offline
 *   FROM workers
 *   WHERE status <> 'offline' AND last_heartbeat < current_ts() - make_interval(secs => :degradedSeconds!)
 *     AND (status = 'healthy' OR last_heartbeat < current_ts() - make_interval(secs => :offlineSeconds!))
 *   ORDER BY last_heartbeat LIMIT :limit! FOR UPDATE SKIP LOCKED
 * )
 * UPDATE workers w
 * SET status = CASE WHEN s.is_offline THEN 'offline' ELSE 'degraded' END, current_jobs = CASE WHEN s.is_offline THEN 0 ELSE w.current_jobs END,
 *   updated_at = current_ts()
 * FROM stale s WHERE w.ctid = s.address
 * RETURNING w.id, w.organization_id, w.status, current_ts() AS "marked_at!"
 * ```
 */
export const markStaleWorkers = new PreparedQuery<MarkStaleWorkersParams,MarkStaleWorkersResult>(markStaleWorkersIR);


