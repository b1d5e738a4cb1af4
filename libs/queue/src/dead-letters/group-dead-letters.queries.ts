/** Types generated for queries found in "libs/queue/src/dead-letters/group-dead-letters.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'GroupDeadLetters' parameters type */
export interface GroupDeadLettersParams {
  limit: number;
}

/** 'GroupDeadLetters' return type */
export interface GroupDeadLettersResult {
  grouped: number;
}

/** 'GroupDeadLetters' query type */
export interface GroupDeadLettersQuery {
  params: GroupDeadLettersParams;
  result: GroupDeadLettersResult;
}

const groupDeadLettersIR: any = {"usedParamSet":{"limit":true},"params":[{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":229,"b":235}]}],"statement":"-- Gives their group to dead letters of releases that had none. Relies on: dead_letters_ungrouped, primary key of jobs.\nWITH chosen AS MATERIALIZED (\n  SELECT job_id FROM dead_letters WHERE group_id IS NULL ORDER BY job_id LIMIT :limit! FOR UPDATE SKIP LOCKED\n), named AS (\n  SELECT c.job_id, coalesce(j.job_type, '') AS job_type, j.last_error\n  FROM chosen c LEFT JOIN LATERAL (SELECT job_type, last_error FROM jobs WHERE id = c.job_id OFFSET 0) AS j ON true\n), grouped AS (\n  UPDATE dead_letters d SET job_type = n.job_type, group_id = dead_letter_group_v1(d.queue_name, n.job_type, n.last_error)\n  FROM named n WHERE d.job_id = n.job_id RETURNING d.job_id\n)\nSELECT count(*) AS \"grouped!\" FROM grouped"};

/**
 * Query generated from SQL:
 * ```
 * -- Gives their group to dead letters of releases that had none. Relies on: dead_letters_ungrouped, primary key of jobs.
 * WITH chosen AS MATERIALIZED (
 *   SELECT job_id FROM dead_letters WHERE group_id IS NULL ORDER BY job_id LIMIT :limit! FOR UPDATE SKIP LOCKED
 * ), named AS (
 *   SELECT c.job_id, coalesce(j.job_type, '') AS job_type, j.last_error
 *   FROM chosen c LEFT JOIN LATERAL (SELECT job_type, last_error FROM jobs WHERE id = c.job_id OFFSET 0) AS j ON true
 * ), grouped AS (
 *   UPDATE dead_letters d SET job_type = n.job_type, group_id = dead_letter_group_v1(d.queue_name, n.job_type, n.last_error)
 *   FROM named n WHERE d.job_id = n.job_id RETURNING d.job_id
 * )
 * SELECT count(*) AS "grouped!" FROM grouped
 * ```
 */
export const groupDeadLetters = new PreparedQuery<GroupDeadLettersParams,GroupDeadLettersResult>(groupDeadLettersIR);


