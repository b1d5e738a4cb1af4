/** Types generated for queries found in "libs/data-access/src/jobs/list-records.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

export type live_state = 'leased' | 'ready' | 'retrying' | 'scheduled';

export type job_statusArray = (job_status)[];

export type live_stateArray = (live_state)[];

export type stringArray = (string)[];

/** 'ListRecords' parameters type */
export interface ListRecordsParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  ascending: boolean;
  createdAfter?: string | null | void;
  createdBefore?: string | null | void;
  jobType?: string | null | void;
  liveStates?: live_stateArray | null | void;
  organizationId: string;
  outcomes?: job_statusArray | null | void;
  queues?: stringArray | null | void;
  rows: number;
  skip: number;
  tag?: string | null | void;
  take: number;
  text?: string | null | void;
}

/** 'ListRecords' return type */
export interface ListRecordsResult {
  created_at: string;
  id: string;
}

/** 'ListRecords' query type */
export interface ListRecordsQuery {
  params: ListRecordsParams;
  result: ListRecordsResult;
}

const listRecordsIR: any = {"usedParamSet":{"organizationId":true,"createdAfter":true,"createdBefore":true,"afterTime":true,"afterId":true,"ascending":true,"rows":true,"queues":true,"tag":true,"jobType":true,"text":true,"outcomes":true,"liveStates":true,"take":true,"skip":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":656,"b":671},{"a":1347,"b":1362},{"a":1658,"b":1673}]},{"name":"createdAfter","required":false,"transform":{"type":"scalar"},"locs":[{"a":747,"b":759}]},{"name":"createdBefore","required":false,"transform":{"type":"scalar"},"locs":[{"a":775,"b":788}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":810,"b":819}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":835,"b":842}]},{"name":"ascending","required":true,"transform":{"type":"scalar"},"locs":[{"a":863,"b":873},{"a":901,"b":911},{"a":946,"b":956},{"a":991,"b":1001},{"a":1045,"b":1055},{"a":1731,"b":1741},{"a":1776,"b":1786},{"a":1819,"b":1829},{"a":1873,"b":1883}]},{"name":"rows","required":true,"transform":{"type":"scalar"},"locs":[{"a":1084,"b":1089}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":1105,"b":1111},{"a":1152,"b":1158}]},{"name":"tag","required":false,"transform":{"type":"scalar"},"locs":[{"a":1223,"b":1226}]},{"name":"jobType","required":false,"transform":{"type":"scalar"},"locs":[{"a":1235,"b":1242}]},{"name":"text","required":false,"transform":{"type":"scalar"},"locs":[{"a":1251,"b":1255}]},{"name":"outcomes","required":false,"transform":{"type":"scalar"},"locs":[{"a":1441,"b":1449},{"a":1532,"b":1540}]},{"name":"liveStates","required":false,"transform":{"type":"scalar"},"locs":[{"a":1477,"b":1487},{"a":1694,"b":1704}]},{"name":"take","required":true,"transform":{"type":"scalar"},"locs":[{"a":1910,"b":1915}]},{"name":"skip","required":true,"transform":{"type":"scalar"},"locs":[{"a":1924,"b":1929}]}],"statement":"-- Ids of the next jobs of a list among the next :rows records of the organization, by jobs_newest: :take matches after the first :skip.\n-- :queues null = all; :tag, :jobType, :text, :createdAfter, :createdBefore null = any; :outcomes and :liveStates of the jobs, both\n-- null = any.\n-- :afterTime and :afterId of the last job of the previous page, null = first page.\n-- Statements of lists are planned with the values of their parameters, so absent filters and the other direction cost nothing at run time.\nSELECT j.id, j.created_at\nFROM (\n  SELECT j.id, j.created_at, j.queue_name, j.job_type, j.tags, j.outcome\n  FROM jobs j\n  WHERE j.organization_id = :organizationId! AND j.created_at > '-infinity'\n    AND within_page_v1(j.created_at, j.id, :createdAfter::timestamptz, :createdBefore::timestamptz,\n      :afterTime::timestamptz, :afterId::uuid, NULL, NULL, :ascending!)\n  ORDER BY\n    CASE WHEN :ascending! THEN j.created_at END, CASE WHEN :ascending! THEN j.id END,\n    CASE WHEN NOT :ascending! THEN j.created_at END DESC, CASE WHEN NOT :ascending! THEN j.id END DESC\n  LIMIT :rows!\n) AS j\nWHERE (:queues::text[] IS NULL OR j.queue_name = ANY (:queues))\n  AND job_matches_v1(j.id, j.queue_name, j.job_type, j.tags, :tag::text, :jobType::text, :text::text)\n  AND NOT EXISTS (\n    SELECT FROM queue_deletions x\n    WHERE x.organization_id = :organizationId! AND x.queue_name = j.queue_name AND j.created_at <= x.deleted_until)\n  AND ((:outcomes::job_status[] IS NULL AND :liveStates::live_state[] IS NULL) OR j.outcome = ANY (:outcomes)\n    OR (j.outcome IS NULL AND EXISTS (\n      SELECT FROM job_queue q WHERE q.job_id = j.id AND q.organization_id = :organizationId! AND q.state = ANY (:liveStates))))\nORDER BY\n  CASE WHEN :ascending! THEN j.created_at END, CASE WHEN :ascending! THEN j.id END,\n  CASE WHEN NOT :ascending! THEN j.created_at END DESC, CASE WHEN NOT :ascending! THEN j.id END DESC\nLIMIT :take! OFFSET :skip!"};

/**
 * Query generated from SQL:
 * ```
 * -- Ids of the next jobs of a list among the next :rows records of the organization, by jobs_newest: :take matches after the first :skip.
 * -- :queues null = all; :tag, :jobType, :text, :createdAfter, :createdBefore null = any; :outcomes and :liveStates of the jobs, both
 * -- null = any.
 * -- :afterTime and :afterId of the last job of the previous page, null = first page.
 * -- Statements of lists are planned with the values of their parameters, so absent filters and the other direction cost nothing at run time.
 * SELECT j.id, j.created_at
 * FROM (
 *   SELECT j.id, j.created_at, j.queue_name, j.job_type, j.tags, j.outcome
 *   FROM jobs j
 *   WHERE j.organization_id = :organizationId! AND j.created_at > '-infinity'
 *     AND within_page_v1(j.created_at, j.id, :createdAfter::timestamptz, :createdBefore::timestamptz,
 *       :afterTime::timestamptz, :afterId::uuid, NULL, NULL, :ascending!)
 *   ORDER BY
 *     CASE WHEN :ascending! THEN j.created_at END, CASE WHEN :ascending! THEN j.id END,
 *     CASE WHEN NOT :ascending! THEN j.created_at END DESC, CASE WHEN NOT :ascending! THEN j.id END DESC
 *   LIMIT :rows!
 * ) AS j
 * WHERE (:queues::text[] IS NULL OR j.queue_name = ANY (:queues))
 *   AND job_matches_v1(j.id, j.queue_name, j.job_type, j.tags, :tag::text, :jobType::text, :text::text)
 *   AND NOT EXISTS (
 *     SELECT FROM queue_deletions x
 *     WHERE x.organization_id = :organizationId! AND x.queue_name = j.queue_name AND j.created_at <= x.deleted_until)
 *   AND ((:outcomes::job_status[] IS NULL AND :liveStates::live_state[] IS NULL) OR j.outcome = ANY (:outcomes)
 *     OR (j.outcome IS NULL AND EXISTS (
 *       SELECT FROM job_queue q WHERE q.job_id = j.id AND q.organization_id = :organizationId! AND q.state = ANY (:liveStates))))
 * ORDER BY
 *   CASE WHEN :ascending! THEN j.created_at END, CASE WHEN :ascending! THEN j.id END,
 *   CASE WHEN NOT :ascending! THEN j.created_at END DESC, CASE WHEN NOT :ascending! THEN j.id END DESC
 * LIMIT :take! OFFSET :skip!
 * ```
 */
export const listRecords = new PreparedQuery<ListRecordsParams,ListRecordsResult>(listRecordsIR);


/** 'FindRecordsEnd' parameters type */
export interface FindRecordsEndParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  ascending: boolean;
  createdAfter?: string | null | void;
  createdBefore?: string | null | void;
  organizationId: string;
  rows: number;
}

/** 'FindRecordsEnd' return type */
export interface FindRecordsEndResult {
  at: string;
  id: string;
}

/** 'FindRecordsEnd' query type */
export interface FindRecordsEndQuery {
  params: FindRecordsEndParams;
  result: FindRecordsEndResult;
}

const findRecordsEndIR: any = {"usedParamSet":{"organizationId":true,"createdAfter":true,"createdBefore":true,"afterTime":true,"afterId":true,"ascending":true,"rows":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":151,"b":166}]},{"name":"createdAfter","required":false,"transform":{"type":"scalar"},"locs":[{"a":240,"b":252}]},{"name":"createdBefore","required":false,"transform":{"type":"scalar"},"locs":[{"a":268,"b":281}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":301,"b":310}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":326,"b":333}]},{"name":"ascending","required":true,"transform":{"type":"scalar"},"locs":[{"a":354,"b":364},{"a":388,"b":398},{"a":433,"b":443},{"a":476,"b":486},{"a":530,"b":540}]},{"name":"rows","required":true,"transform":{"type":"scalar"},"locs":[{"a":576,"b":581}]}],"statement":"-- The last of the next :rows records; none if there are fewer. Reads the index.\nSELECT j.created_at AS at, j.id\nFROM jobs j\nWHERE j.organization_id = :organizationId! AND j.created_at > '-infinity'\n  AND within_page_v1(j.created_at, j.id, :createdAfter::timestamptz, :createdBefore::timestamptz,\n    :afterTime::timestamptz, :afterId::uuid, NULL, NULL, :ascending!)\nORDER BY\n  CASE WHEN :ascending! THEN j.created_at END, CASE WHEN :ascending! THEN j.id END,\n  CASE WHEN NOT :ascending! THEN j.created_at END DESC, CASE WHEN NOT :ascending! THEN j.id END DESC\nLIMIT 1 OFFSET :rows!::bigint - 1"};

/**
 * Query generated from SQL:
 * ```
 * -- The last of the next :rows records; none if there are fewer. Reads the index.
 * SELECT j.created_at AS at, j.id
 * FROM jobs j
 * WHERE j.organization_id = :organizationId! AND j.created_at > '-infinity'
 *   AND within_page_v1(j.created_at, j.id, :createdAfter::timestamptz, :createdBefore::timestamptz,
 *     :afterTime::timestamptz, :afterId::uuid, NULL, NULL, :ascending!)
 * ORDER BY
 *   CASE WHEN :ascending! THEN j.created_at END, CASE WHEN :ascending! THEN j.id END,
 *   CASE WHEN NOT :ascending! THEN j.created_at END DESC, CASE WHEN NOT :ascending! THEN j.id END DESC
 * LIMIT 1 OFFSET :rows!::bigint - 1
 * ```
 */
export const findRecordsEnd = new PreparedQuery<FindRecordsEndParams,FindRecordsEndResult>(findRecordsEndIR);


