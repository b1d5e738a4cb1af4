/** Types generated for queries found in "libs/data-access/src/jobs/list-jobs-of-types.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

export type live_state = 'leased' | 'ready' | 'retrying' | 'scheduled';

export type job_statusArray = (job_status)[];

export type live_stateArray = (live_state)[];

export type stringArray = (string)[];

/** 'ListJobsOfTypes' parameters type */
export interface ListJobsOfTypesParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  ascending: boolean;
  createdAfter?: string | null | void;
  createdBefore?: string | null | void;
  endId?: string | null | void;
  endTime?: string | null | void;
  liveStates?: live_stateArray | null | void;
  organizationId: string;
  outcomes?: job_statusArray | null | void;
  skip: number;
  tag?: string | null | void;
  take: number;
  typeNames: stringArray;
  typeQueues: stringArray;
}

/** 'ListJobsOfTypes' return type */
export interface ListJobsOfTypesResult {
  created_at: string;
  id: string;
}

/** 'ListJobsOfTypes' query type */
export interface ListJobsOfTypesQuery {
  params: ListJobsOfTypesParams;
  result: ListJobsOfTypesResult;
}

const listJobsOfTypesIR: any = {"usedParamSet":{"typeQueues":true,"typeNames":true,"organizationId":true,"createdAfter":true,"createdBefore":true,"afterTime":true,"afterId":true,"endTime":true,"endId":true,"ascending":true,"tag":true,"outcomes":true,"liveStates":true,"take":true,"skip":true},"params":[{"name":"typeQueues","required":true,"transform":{"type":"scalar"},"locs":[{"a":283,"b":294}]},{"name":"typeNames","required":true,"transform":{"type":"scalar"},"locs":[{"a":305,"b":315}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":436,"b":451},{"a":900,"b":915},{"a":1217,"b":1232}]},{"name":"createdAfter","required":false,"transform":{"type":"scalar"},"locs":[{"a":570,"b":582}]},{"name":"createdBefore","required":false,"transform":{"type":"scalar"},"locs":[{"a":598,"b":611}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":633,"b":642}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":658,"b":665}]},{"name":"endTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":674,"b":681}]},{"name":"endId","required":false,"transform":{"type":"scalar"},"locs":[{"a":697,"b":702}]},{"name":"ascending","required":true,"transform":{"type":"scalar"},"locs":[{"a":711,"b":721},{"a":1294,"b":1304},{"a":1339,"b":1349},{"a":1384,"b":1394},{"a":1438,"b":1448},{"a":1543,"b":1553},{"a":1594,"b":1604},{"a":1643,"b":1653},{"a":1703,"b":1713}]},{"name":"tag","required":false,"transform":{"type":"scalar"},"locs":[{"a":787,"b":790}]},{"name":"outcomes","required":false,"transform":{"type":"scalar"},"locs":[{"a":996,"b":1004},{"a":1087,"b":1095}]},{"name":"liveStates","required":false,"transform":{"type":"scalar"},"locs":[{"a":1032,"b":1042},{"a":1253,"b":1263}]},{"name":"take","required":true,"transform":{"type":"scalar"},"locs":[{"a":1477,"b":1482},{"a":1746,"b":1751}]},{"name":"skip","required":true,"transform":{"type":"scalar"},"locs":[{"a":1494,"b":1499},{"a":1760,"b":1765}]}],"statement":"-- Ids of the next jobs of a list that have one of the queues and job types :typeQueues and :typeNames, by jobs_of_type.\n-- :endTime and :endId of the last job that may be read, null = to the end; other parameters as in listRecords.\nSELECT of_type.id, of_type.created_at\nFROM unnest(:typeQueues!::text[], :typeNames!::text[]) AS t (queue, type)\nCROSS JOIN LATERAL (\n  SELECT j.id, j.created_at\n  FROM jobs j\n  WHERE j.organization_id = :organizationId! AND j.queue_name = t.queue AND j.job_type = t.type AND j.queue_name >= ''\n    AND within_page_v1(j.created_at, j.id, :createdAfter::timestamptz, :createdBefore::timestamptz,\n      :afterTime::timestamptz, :afterId::uuid, :endTime::timestamptz, :endId::uuid, :ascending!)\n    AND job_matches_v1(j.id, j.queue_name, j.job_type, j.tags, :tag::text, NULL, NULL)\n    AND NOT EXISTS (\n      SELECT FROM queue_deletions x\n      WHERE x.organization_id = :organizationId! AND x.queue_name = j.queue_name AND j.created_at <= x.deleted_until)\n    AND ((:outcomes::job_status[] IS NULL AND :liveStates::live_state[] IS NULL) OR j.outcome = ANY (:outcomes)\n      OR (j.outcome IS NULL AND EXISTS (\n        SELECT FROM job_queue q WHERE q.job_id = j.id AND q.organization_id = :organizationId! AND q.state = ANY (:liveStates))))\n  ORDER BY\n    CASE WHEN :ascending! THEN j.created_at END, CASE WHEN :ascending! THEN j.id END,\n    CASE WHEN NOT :ascending! THEN j.created_at END DESC, CASE WHEN NOT :ascending! THEN j.id END DESC\n  LIMIT :take!::bigint + :skip!::bigint\n) AS of_type\nORDER BY\n  CASE WHEN :ascending! THEN of_type.created_at END, CASE WHEN :ascending! THEN of_type.id END,\n  CASE WHEN NOT :ascending! THEN of_type.created_at END DESC, CASE WHEN NOT :ascending! THEN of_type.id END DESC\nLIMIT :take! OFFSET :skip!"};

/**
 * Query generated from SQL:
 * ```
 * -- Ids of the next jobs of a list that have one of the queues and job types :typeQueues and :typeNames, by jobs_of_type.
 * -- :endTime and :endId of the last job that may be read, null = to the end; other parameters as in listRecords.
 * SELECT of_type.id, of_type.created_at
 * FROM unnest(:typeQueues!::text[], :typeNames!::text[]) AS t (queue, type)
 * CROSS JOIN LATERAL (
 *   SELECT j.id, j.created_at
 *   FROM jobs j
 *   WHERE j.organization_id = :organizationId! AND j.queue_name = t.queue AND j.job_type = t.type AND j.queue_name >= ''
 *     AND within_page_v1(j.created_at, j.id, :createdAfter::timestamptz, :createdBefore::timestamptz,
 *       :afterTime::timestamptz, :afterId::uuid, :endTime::timestamptz, :endId::uuid, :ascending!)
 *     AND job_matches_v1(j.id, j.queue_name, j.job_type, j.tags, :tag::text, NULL, NULL)
 *     AND NOT EXISTS (
 *       SELECT FROM queue_deletions x
 *       WHERE x.organization_id = :organizationId! AND x.queue_name = j.queue_name AND j.created_at <= x.deleted_until)
 *     AND ((:outcomes::job_status[] IS NULL AND :liveStates::live_state[] IS NULL) OR j.outcome = ANY (:outcomes)
 *       OR (j.outcome IS NULL AND EXISTS (
 *         SELECT FROM job_queue q WHERE q.job_id = j.id AND q.organization_id = :organizationId! AND q.state = ANY (:liveStates))))
 *   ORDER BY
 *     CASE WHEN :ascending! THEN j.created_at END, CASE WHEN :ascending! THEN j.id END,
 *     CASE WHEN NOT :ascending! THEN j.created_at END DESC, CASE WHEN NOT :ascending! THEN j.id END DESC
 *   LIMIT :take!::bigint + :skip!::bigint
 * ) AS of_type
 * ORDER BY
 *   CASE WHEN :ascending! THEN of_type.created_at END, CASE WHEN :ascending! THEN of_type.id END,
 *   CASE WHEN NOT :ascending! THEN of_type.created_at END DESC, CASE WHEN NOT :ascending! THEN of_type.id END DESC
 * LIMIT :take! OFFSET :skip!
 * ```
 */
export const listJobsOfTypes = new PreparedQuery<ListJobsOfTypesParams,ListJobsOfTypesResult>(listJobsOfTypesIR);


/** 'FindTypesEnd' parameters type */
export interface FindTypesEndParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  ascending: boolean;
  createdAfter?: string | null | void;
  createdBefore?: string | null | void;
  organizationId: string;
  rows: number;
  typeNames: stringArray;
  typeQueues: stringArray;
}

/** 'FindTypesEnd' return type */
export interface FindTypesEndResult {
  at: string;
  id: string;
}

/** 'FindTypesEnd' query type */
export interface FindTypesEndQuery {
  params: FindTypesEndParams;
  result: FindTypesEndResult;
}

const findTypesEndIR: any = {"usedParamSet":{"typeQueues":true,"typeNames":true,"organizationId":true,"createdAfter":true,"createdBefore":true,"afterTime":true,"afterId":true,"ascending":true,"rows":true},"params":[{"name":"typeQueues","required":true,"transform":{"type":"scalar"},"locs":[{"a":167,"b":178}]},{"name":"typeNames","required":true,"transform":{"type":"scalar"},"locs":[{"a":189,"b":199}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":320,"b":335}]},{"name":"createdAfter","required":false,"transform":{"type":"scalar"},"locs":[{"a":454,"b":466}]},{"name":"createdBefore","required":false,"transform":{"type":"scalar"},"locs":[{"a":482,"b":495}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":517,"b":526}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":542,"b":549}]},{"name":"ascending","required":true,"transform":{"type":"scalar"},"locs":[{"a":570,"b":580},{"a":608,"b":618},{"a":653,"b":663},{"a":698,"b":708},{"a":752,"b":762},{"a":853,"b":863},{"a":904,"b":914},{"a":953,"b":963},{"a":1013,"b":1023}]},{"name":"rows","required":true,"transform":{"type":"scalar"},"locs":[{"a":800,"b":805}]}],"statement":"-- The nearest of the jobs that end the next :rows jobs of each type; none if all have fewer. Reads the index.\nSELECT of_type.created_at AS at, of_type.id\nFROM unnest(:typeQueues!::text[], :typeNames!::text[]) AS t (queue, type)\nCROSS JOIN LATERAL (\n  SELECT j.created_at, j.id\n  FROM jobs j\n  WHERE j.organization_id = :organizationId! AND j.queue_name = t.queue AND j.job_type = t.type AND j.queue_name >= ''\n    AND within_page_v1(j.created_at, j.id, :createdAfter::timestamptz, :createdBefore::timestamptz,\n      :afterTime::timestamptz, :afterId::uuid, NULL, NULL, :ascending!)\n  ORDER BY\n    CASE WHEN :ascending! THEN j.created_at END, CASE WHEN :ascending! THEN j.id END,\n    CASE WHEN NOT :ascending! THEN j.created_at END DESC, CASE WHEN NOT :ascending! THEN j.id END DESC\n  LIMIT 1 OFFSET :rows!::bigint - 1\n) AS of_type\nORDER BY\n  CASE WHEN :ascending! THEN of_type.created_at END, CASE WHEN :ascending! THEN of_type.id END,\n  CASE WHEN NOT :ascending! THEN of_type.created_at END DESC, CASE WHEN NOT :ascending! THEN of_type.id END DESC\nLIMIT 1"};

/**
 * Query generated from SQL:
 * ```
 * -- The nearest of the jobs that end the next :rows jobs of each type; none if all have fewer. Reads the index.
 * SELECT of_type.created_at AS at, of_type.id
 * FROM unnest(:typeQueues!::text[], :typeNames!::text[]) AS t (queue, type)
 * CROSS JOIN LATERAL (
 *   SELECT j.created_at, j.id
 *   FROM jobs j
 *   WHERE j.organization_id = :organizationId! AND j.queue_name = t.queue AND j.job_type = t.type AND j.queue_name >= ''
 *     AND within_page_v1(j.created_at, j.id, :createdAfter::timestamptz, :createdBefore::timestamptz,
 *       :afterTime::timestamptz, :afterId::uuid, NULL, NULL, :ascending!)
 *   ORDER BY
 *     CASE WHEN :ascending! THEN j.created_at END, CASE WHEN :ascending! THEN j.id END,
 *     CASE WHEN NOT :ascending! THEN j.created_at END DESC, CASE WHEN NOT :ascending! THEN j.id END DESC
 *   LIMIT 1 OFFSET :rows!::bigint - 1
 * ) AS of_type
 * ORDER BY
 *   CASE WHEN :ascending! THEN of_type.created_at END, CASE WHEN :ascending! THEN of_type.id END,
 *   CASE WHEN NOT :ascending! THEN of_type.created_at END DESC, CASE WHEN NOT :ascending! THEN of_type.id END DESC
 * LIMIT 1
 * ```
 */
export const findTypesEnd = new PreparedQuery<FindTypesEndParams,FindTypesEndResult>(findTypesEndIR);


/** 'ListJobsById' parameters type */
export interface ListJobsByIdParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  ascending: boolean;
  createdAfter?: string | null | void;
  createdBefore?: string | null | void;
  endId?: string | null | void;
  endTime?: string | null | void;
  firstId: string;
  jobType?: string | null | void;
  lastId: string;
  liveStates?: live_stateArray | null | void;
  organizationId: string;
  outcomes?: job_statusArray | null | void;
  queues?: stringArray | null | void;
  skip: number;
  tag?: string | null | void;
  take: number;
}

/** 'ListJobsById' return type */
export interface ListJobsByIdResult {
  created_at: string;
  id: string;
}

/** 'ListJobsById' query type */
export interface ListJobsByIdQuery {
  params: ListJobsByIdParams;
  result: ListJobsByIdResult;
}

const listJobsByIdIR: any = {"usedParamSet":{"organizationId":true,"firstId":true,"lastId":true,"createdAfter":true,"createdBefore":true,"afterTime":true,"afterId":true,"endTime":true,"endId":true,"ascending":true,"queues":true,"tag":true,"jobType":true,"outcomes":true,"liveStates":true,"take":true,"skip":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":189,"b":204},{"a":684,"b":699},{"a":995,"b":1010}]},{"name":"firstId","required":true,"transform":{"type":"scalar"},"locs":[{"a":218,"b":226}]},{"name":"lastId","required":true,"transform":{"type":"scalar"},"locs":[{"a":240,"b":247}]},{"name":"createdAfter","required":false,"transform":{"type":"scalar"},"locs":[{"a":290,"b":302}]},{"name":"createdBefore","required":false,"transform":{"type":"scalar"},"locs":[{"a":318,"b":331}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":351,"b":360}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":376,"b":383}]},{"name":"endTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":392,"b":399}]},{"name":"endId","required":false,"transform":{"type":"scalar"},"locs":[{"a":415,"b":420}]},{"name":"ascending","required":true,"transform":{"type":"scalar"},"locs":[{"a":429,"b":439},{"a":1068,"b":1078},{"a":1113,"b":1123},{"a":1156,"b":1166},{"a":1210,"b":1220}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":449,"b":455},{"a":496,"b":502}]},{"name":"tag","required":false,"transform":{"type":"scalar"},"locs":[{"a":567,"b":570}]},{"name":"jobType","required":false,"transform":{"type":"scalar"},"locs":[{"a":579,"b":586}]},{"name":"outcomes","required":false,"transform":{"type":"scalar"},"locs":[{"a":778,"b":786},{"a":869,"b":877}]},{"name":"liveStates","required":false,"transform":{"type":"scalar"},"locs":[{"a":814,"b":824},{"a":1031,"b":1041}]},{"name":"take","required":true,"transform":{"type":"scalar"},"locs":[{"a":1247,"b":1252}]},{"name":"skip","required":true,"transform":{"type":"scalar"},"locs":[{"a":1261,"b":1266}]}],"statement":"-- Ids of the next jobs of a list with an id from :firstId to :lastId, by the primary key. Parameters as in listJobsOfTypes.\nSELECT j.id, j.created_at\nFROM jobs j\nWHERE j.organization_id = :organizationId! AND j.id >= :firstId! AND j.id <= :lastId!\n  AND within_page_v1(j.created_at, j.id, :createdAfter::timestamptz, :createdBefore::timestamptz,\n    :afterTime::timestamptz, :afterId::uuid, :endTime::timestamptz, :endId::uuid, :ascending!)\n  AND (:queues::text[] IS NULL OR j.queue_name = ANY (:queues))\n  AND job_matches_v1(j.id, j.queue_name, j.job_type, j.tags, :tag::text, :jobType::text, NULL)\n  AND NOT EXISTS (\n    SELECT FROM queue_deletions x\n    WHERE x.organization_id = :organizationId! AND x.queue_name = j.queue_name AND j.created_at <= x.deleted_until)\n  AND ((:outcomes::job_status[] IS NULL AND :liveStates::live_state[] IS NULL) OR j.outcome = ANY (:outcomes)\n    OR (j.outcome IS NULL AND EXISTS (\n      SELECT FROM job_queue q WHERE q.job_id = j.id AND q.organization_id = :organizationId! AND q.state = ANY (:liveStates))))\nORDER BY\n  CASE WHEN :ascending! THEN j.created_at END, CASE WHEN :ascending! THEN j.id END,\n  CASE WHEN NOT :ascending! THEN j.created_at END DESC, CASE WHEN NOT :ascending! THEN j.id END DESC\nLIMIT :take! OFFSET :skip!"};

/**
 * Query generated from SQL:
 * ```
 * -- Ids of the next jobs of a list with an id from :firstId to :lastId, by the primary key. Parameters as in listJobsOfTypes.
 * SELECT j.id, j.created_at
 * FROM jobs j
 * WHERE j.organization_id = :organizationId! AND j.id >= :firstId! AND j.id <= :lastId!
 *   AND within_page_v1(j.created_at, j.id, :createdAfter::timestamptz, :createdBefore::timestamptz,
 *     :afterTime::timestamptz, :afterId::uuid, :endTime::timestamptz, :endId::uuid, :ascending!)
 *   AND (:queues::text[] IS NULL OR j.queue_name = ANY (:queues))
 *   AND job_matches_v1(j.id, j.queue_name, j.job_type, j.tags, :tag::text, :jobType::text, NULL)
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
export const listJobsById = new PreparedQuery<ListJobsByIdParams,ListJobsByIdResult>(listJobsByIdIR);


/** 'ListTypes' parameters type */
export interface ListTypesParams {
  jobType?: string | null | void;
  most: number;
  organizationId: string;
  queues?: stringArray | null | void;
  text?: string | null | void;
}

/** 'ListTypes' return type */
export interface ListTypesResult {
  matches: boolean;
  queue: string;
  type: string;
}

/** 'ListTypes' query type */
export interface ListTypesQuery {
  params: ListTypesParams;
  result: ListTypesResult;
}

const listTypesIR: any = {"usedParamSet":{"queues":true,"organizationId":true,"most":true,"jobType":true,"text":true},"params":[{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":376,"b":382},{"a":877,"b":883}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":424,"b":439},{"a":643,"b":658},{"a":1014,"b":1029},{"a":1298,"b":1313}]},{"name":"most","required":true,"transform":{"type":"scalar"},"locs":[{"a":900,"b":905},{"a":1698,"b":1703}]},{"name":"jobType","required":false,"transform":{"type":"scalar"},"locs":[{"a":1499,"b":1506},{"a":1536,"b":1543}]},{"name":"text","required":false,"transform":{"type":"scalar"},"locs":[{"a":1555,"b":1559},{"a":1610,"b":1614},{"a":1655,"b":1659}]}],"statement":"-- The job types of each queue, in the queues :queues or in all (null), up to :most queues and types, and whether they match :jobType and\n-- :text. Each row is one look at jobs_of_type, which continues behind the previous row. The table of queues would not do: a deleted queue\n-- may have left jobs.\nWITH RECURSIVE queue AS (\n  (\n    SELECT j.queue_name FROM jobs j\n    WHERE :queues::text[] IS NULL AND j.organization_id = :organizationId! AND j.queue_name >= ''\n    ORDER BY j.queue_name LIMIT 1\n  )\n  UNION ALL\n  SELECT next.queue_name\n  FROM queue q\n  CROSS JOIN LATERAL (\n    SELECT j.queue_name FROM jobs j\n    WHERE j.organization_id = :organizationId! AND j.queue_name >= '' AND j.queue_name > q.queue_name\n    ORDER BY j.queue_name LIMIT 1\n  ) AS next\n), type AS (\n  SELECT first.queue_name, first.job_type\n  FROM (SELECT queue_name FROM queue UNION ALL SELECT unnest(:queues::text[]) LIMIT :most!) AS q\n  CROSS JOIN LATERAL (\n    SELECT j.queue_name, j.job_type FROM jobs j\n    WHERE j.organization_id = :organizationId! AND j.queue_name = q.queue_name AND j.queue_name >= ''\n    ORDER BY j.job_type LIMIT 1\n  ) AS first\n  UNION ALL\n  SELECT next.queue_name, next.job_type\n  FROM type t\n  CROSS JOIN LATERAL (\n    SELECT j.queue_name, j.job_type FROM jobs j\n    WHERE j.organization_id = :organizationId! AND j.queue_name = t.queue_name AND j.queue_name >= '' AND j.job_type > t.job_type\n    ORDER BY j.job_type LIMIT 1\n  ) AS next\n)\nSELECT queue_name AS \"queue!\", job_type AS \"type!\",\n  (:jobType::text IS NULL OR job_type = :jobType)\n    AND (:text::text IS NULL OR strpos(lower(queue_name), lower(:text)) > 0 OR strpos(lower(job_type), lower(:text)) > 0) AS \"matches!\"\nFROM type LIMIT :most!"};

/**
 * Query generated from SQL:
 * ```
 * -- The job types of each queue, in the queues :queues or in all (null), up to :most queues and types, and whether they match :jobType and
 * -- :text. Each row is one look at jobs_of_type, which continues behind the previous row. The table of queues would not do: a deleted queue
 * -- may have left jobs.
 * WITH RECURSIVE queue AS (
 *   (
 *     SELECT j.queue_name FROM jobs j
 *     WHERE :queues::text[] IS NULL AND j.organization_id = :organizationId! AND j.queue_name >= ''
 *     ORDER BY j.queue_name LIMIT 1
 *   )
 *   UNION ALL
 *   SELECT next.queue_name
 *   FROM queue q
 *   CROSS JOIN LATERAL (
 *     SELECT j.queue_name FROM jobs j
 *     WHERE j.organization_id = :organizationId! AND j.queue_name >= '' AND j.queue_name > q.queue_name
 *     ORDER BY j.queue_name LIMIT 1
 *   ) AS next
 * ), type AS (
 *   SELECT first.queue_name, first.job_type
 *   FROM (SELECT queue_name FROM queue UNION ALL SELECT unnest(:queues::text[]) LIMIT :most!) AS q
 *   CROSS JOIN LATERAL (
 *     SELECT j.queue_name, j.job_type FROM jobs j
 *     WHERE j.organization_id = :organizationId! AND j.queue_name = q.queue_name AND j.queue_name >= ''
 *     ORDER BY j.job_type LIMIT 1
 *   ) AS first
 *   UNION ALL
 *   SELECT next.queue_name, next.job_type
 *   FROM type t
 *   CROSS JOIN LATERAL (
 *     SELECT j.queue_name, j.job_type FROM jobs j
 *     WHERE j.organization_id = :organizationId! AND j.queue_name = t.queue_name AND j.queue_name >= '' AND j.job_type > t.job_type
 *     ORDER BY j.job_type LIMIT 1
 *   ) AS next
 * )
 * SELECT queue_name AS "queue!", job_type AS "type!",
 *   (:jobType::text IS NULL OR job_type = :jobType)
 *     AND (:text::text IS NULL OR strpos(lower(queue_name), lower(:text)) > 0 OR strpos(lower(job_type), lower(:text)) > 0) AS "matches!"
 * FROM type LIMIT :most!
 * ```
 */
export const listTypes = new PreparedQuery<ListTypesParams,ListTypesResult>(listTypesIR);


/** 'ListQueuesOfJobs' parameters type */
export interface ListQueuesOfJobsParams {
  most: number;
  organizationId: string;
  queues?: stringArray | null | void;
}

/** 'ListQueuesOfJobs' return type */
export interface ListQueuesOfJobsResult {
  queue: string;
}

/** 'ListQueuesOfJobs' query type */
export interface ListQueuesOfJobsQuery {
  params: ListQueuesOfJobsParams;
  result: ListQueuesOfJobsResult;
}

const listQueuesOfJobsIR: any = {"usedParamSet":{"queues":true,"organizationId":true,"most":true},"params":[{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":182,"b":188},{"a":658,"b":664}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":230,"b":245},{"a":449,"b":464}]},{"name":"most","required":true,"transform":{"type":"scalar"},"locs":[{"a":687,"b":692}]}],"statement":"-- The queues that jobs have, of :queues or of all (null), up to :most. By jobs_of_type, as in listTypes.\nWITH RECURSIVE queue AS (\n  (\n    SELECT j.queue_name FROM jobs j\n    WHERE :queues::text[] IS NULL AND j.organization_id = :organizationId! AND j.queue_name >= ''\n    ORDER BY j.queue_name LIMIT 1\n  )\n  UNION ALL\n  SELECT next.queue_name\n  FROM queue q\n  CROSS JOIN LATERAL (\n    SELECT j.queue_name FROM jobs j\n    WHERE j.organization_id = :organizationId! AND j.queue_name >= '' AND j.queue_name > q.queue_name\n    ORDER BY j.queue_name LIMIT 1\n  ) AS next\n)\nSELECT queue_name AS \"queue!\" FROM (SELECT queue_name FROM queue UNION ALL SELECT unnest(:queues::text[])) AS q LIMIT :most!"};

/**
 * Query generated from SQL:
 * ```
 * -- The queues that jobs have, of :queues or of all (null), up to :most. By jobs_of_type, as in listTypes.
 * WITH RECURSIVE queue AS (
 *   (
 *     SELECT j.queue_name FROM jobs j
 *     WHERE :queues::text[] IS NULL AND j.organization_id = :organizationId! AND j.queue_name >= ''
 *     ORDER BY j.queue_name LIMIT 1
 *   )
 *   UNION ALL
 *   SELECT next.queue_name
 *   FROM queue q
 *   CROSS JOIN LATERAL (
 *     SELECT j.queue_name FROM jobs j
 *     WHERE j.organization_id = :organizationId! AND j.queue_name >= '' AND j.queue_name > q.queue_name
 *     ORDER BY j.queue_name LIMIT 1
 *   ) AS next
 * )
 * SELECT queue_name AS "queue!" FROM (SELECT queue_name FROM queue UNION ALL SELECT unnest(:queues::text[])) AS q LIMIT :most!
 * ```
 */
export const listQueuesOfJobs = new PreparedQuery<ListQueuesOfJobsParams,ListQueuesOfJobsResult>(listQueuesOfJobsIR);


