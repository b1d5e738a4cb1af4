/** Types generated for queries found in "libs/queue/src/dead-letters/purge-dead-letters.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'PurgeDeadLetters' parameters type */
export interface PurgeDeadLettersParams {
  createdBefore?: string | null | void;
  deadBefore?: string | null | void;
  ids?: stringArray | null | void;
  limit: number;
  organizationId: string;
  queueName?: string | null | void;
  rememberedSeconds: number;
}

/** 'PurgeDeadLetters' return type */
export interface PurgeDeadLettersResult {
  purged: number;
}

/** 'PurgeDeadLetters' query type */
export interface PurgeDeadLettersQuery {
  params: PurgeDeadLettersParams;
  result: PurgeDeadLettersResult;
}

const purgeDeadLettersIR: any = {"usedParamSet":{"organizationId":true,"ids":true,"queueName":true,"createdBefore":true,"deadBefore":true,"limit":true,"rememberedSeconds":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":355,"b":370},{"a":1000,"b":1015},{"a":1391,"b":1406}]},{"name":"ids","required":false,"transform":{"type":"scalar"},"locs":[{"a":377,"b":380},{"a":415,"b":418}]},{"name":"queueName","required":false,"transform":{"type":"scalar"},"locs":[{"a":431,"b":440},{"a":472,"b":481}]},{"name":"createdBefore","required":false,"transform":{"type":"scalar"},"locs":[{"a":493,"b":506},{"a":545,"b":558}]},{"name":"deadBefore","required":false,"transform":{"type":"scalar"},"locs":[{"a":572,"b":582},{"a":619,"b":629}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":668,"b":674}]},{"name":"rememberedSeconds","required":true,"transform":{"type":"scalar"},"locs":[{"a":1090,"b":1108}]}],"statement":"-- Deletes the oldest dead letters that match, with everything that is kept about them.\n-- :ids, :queueName, :createdBefore null = any; :deadBefore dead since then at the latest, null = any.\n-- :rememberedSeconds as for deleteQueue. Relies on: dead_letters_oldest.\nWITH chosen AS MATERIALIZED (\n  SELECT job_id FROM dead_letters\n  WHERE organization_id = :organizationId! AND (:ids::uuid[] IS NULL OR job_id = ANY (:ids))\n    AND (:queueName::text IS NULL OR queue_name = :queueName)\n    AND (:createdBefore::timestamptz IS NULL OR created_at < :createdBefore)\n      AND (:deadBefore::timestamptz IS NULL OR dead_at <= :deadBefore)\n  ORDER BY created_at, job_id LIMIT :limit!\n  FOR UPDATE SKIP LOCKED\n), letters AS (\n  DELETE FROM dead_letters d USING chosen c WHERE d.job_id = c.job_id\n), records AS (\n  DELETE FROM jobs j USING chosen c WHERE j.id = c.job_id AND j.outcome = 'deadletter' RETURNING j.id, j.created_at\n), remembered AS (\n  INSERT INTO deleted_jobs (organization_id, job_id)\n  SELECT :organizationId!, id FROM records WHERE created_at > current_ts() - make_interval(secs => :rememberedSeconds!) ON CONFLICT DO NOTHING\n), keys AS (\n  DELETE FROM idempotency_keys k USING chosen c WHERE k.job_id = c.job_id\n), edges AS (\n  DELETE FROM job_dependencies e USING chosen c WHERE e.job_id = c.job_id\n), past AS (\n  DELETE FROM job_history h USING chosen c WHERE h.organization_id = :organizationId! AND h.job_id = c.job_id\n)\nSELECT count(*) AS \"purged!\" FROM records"};

/**
 * Query generated from SQL:
 * ```
 * -- Deletes the oldest dead letters that match, with everything that is kept about them.
 * -- :ids, :queueName, :createdBefore null = any; :deadBefore dead since then at the latest, null = any.
 * -- :rememberedSeconds as for deleteQueue. Relies on: dead_letters_oldest.
 * WITH chosen AS MATERIALIZED (
 *   SELECT job_id FROM dead_letters
 *   WHERE organization_id = :organizationId! AND (:ids::uuid[] IS NULL OR job_id = ANY (:ids))
 *     AND (:queueName::text IS NULL OR queue_name = :queueName)
 *     AND (:createdBefore::timestamptz IS NULL OR created_at < :createdBefore)
 *       AND (:deadBefore::timestamptz IS NULL OR dead_at <= :deadBefore)
 *   ORDER BY created_at, job_id LIMIT :limit!
 *   FOR UPDATE SKIP LOCKED
 * ), letters AS (
 *   DELETE FROM dead_letters d USING chosen c WHERE d.job_id = c.job_id
 * ), records AS (
 *   DELETE FROM jobs j USING chosen c WHERE j.id = c.job_id AND j.outcome = 'deadletter' RETURNING j.id, j.created_at
 * ), remembered AS (
 *   INSERT INTO deleted_jobs (organization_id, job_id)
 *   SELECT :organizationId!, id FROM records WHERE created_at > current_ts() - make_interval(secs => :rememberedSeconds!) ON CONFLICT DO NOTHING
 * ), keys AS (
 *   DELETE FROM idempotency_keys k USING chosen c WHERE k.job_id = c.job_id
 * ), edges AS (
 *   DELETE FROM job_dependencies e USING chosen c WHERE e.job_id = c.job_id
 * ), past AS (
 *   DELETE FROM job_history h USING chosen c WHERE h.organization_id = :organizationId! AND h.job_id = c.job_id
 * )
 * SELECT count(*) AS "purged!" FROM records
 * ```
 */
export const purgeDeadLetters = new PreparedQuery<PurgeDeadLettersParams,PurgeDeadLettersResult>(purgeDeadLettersIR);


