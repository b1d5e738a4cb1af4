/** Types generated for queries found in "libs/data-access/src/jobs/list-jobs-by-status.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type live_state = 'leased' | 'ready' | 'retrying' | 'scheduled';

export type live_stateArray = (live_state)[];

export type stringArray = (string)[];

/** 'ListCancelled' parameters type */
export interface ListCancelledParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  ascending: boolean;
  createdAfter?: string | null | void;
  createdBefore?: string | null | void;
  endId?: string | null | void;
  endTime?: string | null | void;
  jobType?: string | null | void;
  organizationId: string;
  queues?: stringArray | null | void;
  skip: number;
  tag?: string | null | void;
  take: number;
  text?: string | null | void;
}

/** 'ListCancelled' return type */
export interface ListCancelledResult {
  created_at: string;
  id: string;
}

/** 'ListCancelled' query type */
export interface ListCancelledQuery {
  params: ListCancelledParams;
  result: ListCancelledResult;
}

const listCancelledIR: any = {"usedParamSet":{"organizationId":true,"createdAfter":true,"createdBefore":true,"afterTime":true,"afterId":true,"endTime":true,"endId":true,"ascending":true,"queues":true,"tag":true,"jobType":true,"text":true,"take":true,"skip":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":162,"b":177},{"a":652,"b":667}]},{"name":"createdAfter","required":false,"transform":{"type":"scalar"},"locs":[{"a":251,"b":263}]},{"name":"createdBefore","required":false,"transform":{"type":"scalar"},"locs":[{"a":279,"b":292}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":312,"b":321}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":337,"b":344}]},{"name":"endTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":353,"b":360}]},{"name":"endId","required":false,"transform":{"type":"scalar"},"locs":[{"a":376,"b":381}]},{"name":"ascending","required":true,"transform":{"type":"scalar"},"locs":[{"a":390,"b":400},{"a":759,"b":769},{"a":804,"b":814},{"a":847,"b":857},{"a":901,"b":911}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":410,"b":416},{"a":457,"b":463}]},{"name":"tag","required":false,"transform":{"type":"scalar"},"locs":[{"a":528,"b":531}]},{"name":"jobType","required":false,"transform":{"type":"scalar"},"locs":[{"a":540,"b":547}]},{"name":"text","required":false,"transform":{"type":"scalar"},"locs":[{"a":556,"b":560}]},{"name":"take","required":true,"transform":{"type":"scalar"},"locs":[{"a":938,"b":943}]},{"name":"skip","required":true,"transform":{"type":"scalar"},"locs":[{"a":952,"b":957}]}],"statement":"-- Ids of the next cancelled jobs of a list, by jobs_cancelled. Parameters as in listJobsOfTypes.\nSELECT j.id, j.created_at\nFROM jobs j\nWHERE j.organization_id = :organizationId! AND j.cancelled_at IS NOT NULL\n  AND within_page_v1(j.created_at, j.id, :createdAfter::timestamptz, :createdBefore::timestamptz,\n    :afterTime::timestamptz, :afterId::uuid, :endTime::timestamptz, :endId::uuid, :ascending!)\n  AND (:queues::text[] IS NULL OR j.queue_name = ANY (:queues))\n  AND job_matches_v1(j.id, j.queue_name, j.job_type, j.tags, :tag::text, :jobType::text, :text::text)\n  AND NOT EXISTS (\n    SELECT FROM queue_deletions x\n    WHERE x.organization_id = :organizationId! AND x.queue_name = j.queue_name AND j.created_at <= x.deleted_until)\nORDER BY\n  CASE WHEN :ascending! THEN j.created_at END, CASE WHEN :ascending! THEN j.id END,\n  CASE WHEN NOT :ascending! THEN j.created_at END DESC, CASE WHEN NOT :ascending! THEN j.id END DESC\nLIMIT :take! OFFSET :skip!"};

/**
 * Query generated from SQL:
 * ```
 * -- Ids of the next cancelled jobs of a list, by jobs_cancelled. Parameters as in listJobsOfTypes.
 * SELECT j.id, j.created_at
 * FROM jobs j
 * WHERE j.organization_id = :organizationId! AND j.cancelled_at IS NOT NULL
 *   AND within_page_v1(j.created_at, j.id, :createdAfter::timestamptz, :createdBefore::timestamptz,
 *     :afterTime::timestamptz, :afterId::uuid, :endTime::timestamptz, :endId::uuid, :ascending!)
 *   AND (:queues::text[] IS NULL OR j.queue_name = ANY (:queues))
 *   AND job_matches_v1(j.id, j.queue_name, j.job_type, j.tags, :tag::text, :jobType::text, :text::text)
 *   AND NOT EXISTS (
 *     SELECT FROM queue_deletions x
 *     WHERE x.organization_id = :organizationId! AND x.queue_name = j.queue_name AND j.created_at <= x.deleted_until)
 * ORDER BY
 *   CASE WHEN :ascending! THEN j.created_at END, CASE WHEN :ascending! THEN j.id END,
 *   CASE WHEN NOT :ascending! THEN j.created_at END DESC, CASE WHEN NOT :ascending! THEN j.id END DESC
 * LIMIT :take! OFFSET :skip!
 * ```
 */
export const listCancelled = new PreparedQuery<ListCancelledParams,ListCancelledResult>(listCancelledIR);


/** 'FindCancelledEnd' parameters type */
export interface FindCancelledEndParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  ascending: boolean;
  createdAfter?: string | null | void;
  createdBefore?: string | null | void;
  organizationId: string;
  rows: number;
}

/** 'FindCancelledEnd' return type */
export interface FindCancelledEndResult {
  at: string;
  id: string;
}

/** 'FindCancelledEnd' query type */
export interface FindCancelledEndQuery {
  params: FindCancelledEndParams;
  result: FindCancelledEndResult;
}

const findCancelledEndIR: any = {"usedParamSet":{"organizationId":true,"createdAfter":true,"createdBefore":true,"afterTime":true,"afterId":true,"ascending":true,"rows":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":158,"b":173}]},{"name":"createdAfter","required":false,"transform":{"type":"scalar"},"locs":[{"a":247,"b":259}]},{"name":"createdBefore","required":false,"transform":{"type":"scalar"},"locs":[{"a":275,"b":288}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":308,"b":317}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":333,"b":340}]},{"name":"ascending","required":true,"transform":{"type":"scalar"},"locs":[{"a":361,"b":371},{"a":395,"b":405},{"a":440,"b":450},{"a":483,"b":493},{"a":537,"b":547}]},{"name":"rows","required":true,"transform":{"type":"scalar"},"locs":[{"a":583,"b":588}]}],"statement":"-- The last of the next :rows cancelled jobs; none if there are fewer. Reads the index.\nSELECT j.created_at AS at, j.id\nFROM jobs j\nWHERE j.organization_id = :organizationId! AND j.cancelled_at IS NOT NULL\n  AND within_page_v1(j.created_at, j.id, :createdAfter::timestamptz, :createdBefore::timestamptz,\n    :afterTime::timestamptz, :afterId::uuid, NULL, NULL, :ascending!)\nORDER BY\n  CASE WHEN :ascending! THEN j.created_at END, CASE WHEN :ascending! THEN j.id END,\n  CASE WHEN NOT :ascending! THEN j.created_at END DESC, CASE WHEN NOT :ascending! THEN j.id END DESC\nLIMIT 1 OFFSET :rows!::bigint - 1"};

/**
 * Query generated from SQL:
 * ```
 * -- The last of the next :rows cancelled jobs; none if there are fewer. Reads the index.
 * SELECT j.created_at AS at, j.id
 * FROM jobs j
 * WHERE j.organization_id = :organizationId! AND j.cancelled_at IS NOT NULL
 *   AND within_page_v1(j.created_at, j.id, :createdAfter::timestamptz, :createdBefore::timestamptz,
 *     :afterTime::timestamptz, :afterId::uuid, NULL, NULL, :ascending!)
 * ORDER BY
 *   CASE WHEN :ascending! THEN j.created_at END, CASE WHEN :ascending! THEN j.id END,
 *   CASE WHEN NOT :ascending! THEN j.created_at END DESC, CASE WHEN NOT :ascending! THEN j.id END DESC
 * LIMIT 1 OFFSET :rows!::bigint - 1
 * ```
 */
export const findCancelledEnd = new PreparedQuery<FindCancelledEndParams,FindCancelledEndResult>(findCancelledEndIR);


/** 'ListDeadLetters' parameters type */
export interface ListDeadLettersParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  ascending: boolean;
  createdAfter?: string | null | void;
  createdBefore?: string | null | void;
  endId?: string | null | void;
  endTime?: string | null | void;
  jobType?: string | null | void;
  organizationId: string;
  queues?: stringArray | null | void;
  skip: number;
  tag?: string | null | void;
  take: number;
  text?: string | null | void;
}

/** 'ListDeadLetters' return type */
export interface ListDeadLettersResult {
  created_at: string;
  id: string;
}

/** 'ListDeadLetters' query type */
export interface ListDeadLettersQuery {
  params: ListDeadLettersParams;
  result: ListDeadLettersResult;
}

const listDeadLettersIR: any = {"usedParamSet":{"queues":true,"organizationId":true,"createdAfter":true,"createdBefore":true,"afterTime":true,"afterId":true,"endTime":true,"endId":true,"ascending":true,"tag":true,"jobType":true,"text":true,"take":true,"skip":true},"params":[{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":217,"b":223},{"a":382,"b":388}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":360,"b":375},{"a":722,"b":737},{"a":978,"b":993}]},{"name":"createdAfter","required":false,"transform":{"type":"scalar"},"locs":[{"a":479,"b":491}]},{"name":"createdBefore","required":false,"transform":{"type":"scalar"},"locs":[{"a":507,"b":520}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":542,"b":551}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":567,"b":574}]},{"name":"endTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":583,"b":590}]},{"name":"endId","required":false,"transform":{"type":"scalar"},"locs":[{"a":606,"b":611}]},{"name":"ascending","required":true,"transform":{"type":"scalar"},"locs":[{"a":620,"b":630},{"a":1130,"b":1140},{"a":1175,"b":1185},{"a":1224,"b":1234},{"a":1278,"b":1288},{"a":1388,"b":1398},{"a":1440,"b":1450},{"a":1494,"b":1504},{"a":1555,"b":1565}]},{"name":"tag","required":false,"transform":{"type":"scalar"},"locs":[{"a":818,"b":821},{"a":1062,"b":1065}]},{"name":"jobType","required":false,"transform":{"type":"scalar"},"locs":[{"a":841,"b":848},{"a":1074,"b":1081}]},{"name":"text","required":false,"transform":{"type":"scalar"},"locs":[{"a":868,"b":872},{"a":1090,"b":1094}]},{"name":"take","required":true,"transform":{"type":"scalar"},"locs":[{"a":1321,"b":1326},{"a":1603,"b":1608}]},{"name":"skip","required":true,"transform":{"type":"scalar"},"locs":[{"a":1338,"b":1343},{"a":1617,"b":1622}]}],"statement":"-- Ids of the next dead letters of a list, by dead_letters_oldest, or with :queues by dead_letters_of_queue.\n-- Parameters as in listJobsOfTypes.\nSELECT of_queue.job_id AS id, of_queue.created_at\nFROM unnest(coalesce(:queues::text[], '{NULL}')) AS q (name)\nCROSS JOIN LATERAL (\n  SELECT d.job_id, d.created_at\n  FROM dead_letters d\n  WHERE d.organization_id = :organizationId! AND (:queues::text[] IS NULL OR d.queue_name = q.name)\n    AND within_page_v1(d.created_at, d.job_id, :createdAfter::timestamptz, :createdBefore::timestamptz,\n      :afterTime::timestamptz, :afterId::uuid, :endTime::timestamptz, :endId::uuid, :ascending!)\n    AND NOT EXISTS (\n      SELECT FROM queue_deletions x\n      WHERE x.organization_id = :organizationId! AND x.queue_name = d.queue_name AND d.created_at <= x.deleted_until)\n    AND ((:tag::text IS NULL AND :jobType::text IS NULL AND :text::text IS NULL) OR EXISTS (\n      SELECT FROM jobs j\n      WHERE j.id = d.job_id AND j.organization_id = :organizationId!\n        AND job_matches_v1(j.id, j.queue_name, j.job_type, j.tags, :tag::text, :jobType::text, :text::text)))\n  ORDER BY\n    CASE WHEN :ascending! THEN d.created_at END, CASE WHEN :ascending! THEN d.job_id END,\n    CASE WHEN NOT :ascending! THEN d.created_at END DESC, CASE WHEN NOT :ascending! THEN d.job_id END DESC\n  LIMIT :take!::bigint + :skip!::bigint\n) AS of_queue\nORDER BY\n  CASE WHEN :ascending! THEN of_queue.created_at END, CASE WHEN :ascending! THEN of_queue.job_id END,\n  CASE WHEN NOT :ascending! THEN of_queue.created_at END DESC, CASE WHEN NOT :ascending! THEN of_queue.job_id END DESC\nLIMIT :take! OFFSET :skip!"};

/**
 * Query generated from SQL:
 * ```
 * -- Ids of the next dead letters of a list, by dead_letters_oldest, or with :queues by dead_letters_of_queue.
 * -- Parameters as in listJobsOfTypes.
 * SELECT of_queue.job_id AS id, of_queue.created_at
 * FROM unnest(coalesce(:queues::text[], '{NULL}')) AS q (name)
 * CROSS JOIN LATERAL (
 *   SELECT d.job_id, d.created_at
 *   FROM dead_letters d
 *   WHERE d.organization_id = :organizationId! AND (:queues::text[] IS NULL OR d.queue_name = q.name)
 *     AND within_page_v1(d.created_at, d.job_id, :createdAfter::timestamptz, :createdBefore::timestamptz,
 *       :afterTime::timestamptz, :afterId::uuid, :endTime::timestamptz, :endId::uuid, :ascending!)
 *     AND NOT EXISTS (
 *       SELECT FROM queue_deletions x
 *       WHERE x.organization_id = :organizationId! AND x.queue_name = d.queue_name AND d.created_at <= x.deleted_until)
 *     AND ((:tag::text IS NULL AND :jobType::text IS NULL AND :text::text IS NULL) OR EXISTS (
 *       SELECT FROM jobs j
 *       WHERE j.id = d.job_id AND j.organization_id = :organizationId!
 *         AND job_matches_v1(j.id, j.queue_name, j.job_type, j.tags, :tag::text, :jobType::text, :text::text)))
 *   ORDER BY
 *     CASE WHEN :ascending! THEN d.created_at END, CASE WHEN :ascending! THEN d.job_id END,
 *     CASE WHEN NOT :ascending! THEN d.created_at END DESC, CASE WHEN NOT :ascending! THEN d.job_id END DESC
 *   LIMIT :take!::bigint + :skip!::bigint
 * ) AS of_queue
 * ORDER BY
 *   CASE WHEN :ascending! THEN of_queue.created_at END, CASE WHEN :ascending! THEN of_queue.job_id END,
 *   CASE WHEN NOT :ascending! THEN of_queue.created_at END DESC, CASE WHEN NOT :ascending! THEN of_queue.job_id END DESC
 * LIMIT :take! OFFSET :skip!
 * ```
 */
export const listDeadLetters = new PreparedQuery<ListDeadLettersParams,ListDeadLettersResult>(listDeadLettersIR);


/** 'FindDeadLettersEnd' parameters type */
export interface FindDeadLettersEndParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  ascending: boolean;
  createdAfter?: string | null | void;
  createdBefore?: string | null | void;
  organizationId: string;
  queues?: stringArray | null | void;
  rows: number;
}

/** 'FindDeadLettersEnd' return type */
export interface FindDeadLettersEndResult {
  at: string;
  id: string;
}

/** 'FindDeadLettersEnd' query type */
export interface FindDeadLettersEndQuery {
  params: FindDeadLettersEndParams;
  result: FindDeadLettersEndResult;
}

const findDeadLettersEndIR: any = {"usedParamSet":{"queues":true,"organizationId":true,"createdAfter":true,"createdBefore":true,"afterTime":true,"afterId":true,"ascending":true,"rows":true},"params":[{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":207,"b":213},{"a":372,"b":378}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":350,"b":365}]},{"name":"createdAfter","required":false,"transform":{"type":"scalar"},"locs":[{"a":469,"b":481}]},{"name":"createdBefore","required":false,"transform":{"type":"scalar"},"locs":[{"a":497,"b":510}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":532,"b":541}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":557,"b":564}]},{"name":"ascending","required":true,"transform":{"type":"scalar"},"locs":[{"a":585,"b":595},{"a":623,"b":633},{"a":668,"b":678},{"a":717,"b":727},{"a":771,"b":781},{"a":877,"b":887},{"a":929,"b":939},{"a":983,"b":993},{"a":1044,"b":1054}]},{"name":"rows","required":true,"transform":{"type":"scalar"},"locs":[{"a":823,"b":828}]}],"statement":"-- The nearest of the dead letters that end the next :rows, or with :queues the next :rows of each queue; none if all have fewer.\nSELECT of_queue.created_at AS at, of_queue.job_id AS id\nFROM unnest(coalesce(:queues::text[], '{NULL}')) AS q (name)\nCROSS JOIN LATERAL (\n  SELECT d.job_id, d.created_at\n  FROM dead_letters d\n  WHERE d.organization_id = :organizationId! AND (:queues::text[] IS NULL OR d.queue_name = q.name)\n    AND within_page_v1(d.created_at, d.job_id, :createdAfter::timestamptz, :createdBefore::timestamptz,\n      :afterTime::timestamptz, :afterId::uuid, NULL, NULL, :ascending!)\n  ORDER BY\n    CASE WHEN :ascending! THEN d.created_at END, CASE WHEN :ascending! THEN d.job_id END,\n    CASE WHEN NOT :ascending! THEN d.created_at END DESC, CASE WHEN NOT :ascending! THEN d.job_id END DESC\n  LIMIT 1 OFFSET :rows!::bigint - 1\n) AS of_queue\nORDER BY\n  CASE WHEN :ascending! THEN of_queue.created_at END, CASE WHEN :ascending! THEN of_queue.job_id END,\n  CASE WHEN NOT :ascending! THEN of_queue.created_at END DESC, CASE WHEN NOT :ascending! THEN of_queue.job_id END DESC\nLIMIT 1"};

/**
 * Query generated from SQL:
 * ```
 * -- The nearest of the dead letters that end the next :rows, or with :queues the next :rows of each queue; none if all have fewer.
 * SELECT of_queue.created_at AS at, of_queue.job_id AS id
 * FROM unnest(coalesce(:queues::text[], '{NULL}')) AS q (name)
 * CROSS JOIN LATERAL (
 *   SELECT d.job_id, d.created_at
 *   FROM dead_letters d
 *   WHERE d.organization_id = :organizationId! AND (:queues::text[] IS NULL OR d.queue_name = q.name)
 *     AND within_page_v1(d.created_at, d.job_id, :createdAfter::timestamptz, :createdBefore::timestamptz,
 *       :afterTime::timestamptz, :afterId::uuid, NULL, NULL, :ascending!)
 *   ORDER BY
 *     CASE WHEN :ascending! THEN d.created_at END, CASE WHEN :ascending! THEN d.job_id END,
 *     CASE WHEN NOT :ascending! THEN d.created_at END DESC, CASE WHEN NOT :ascending! THEN d.job_id END DESC
 *   LIMIT 1 OFFSET :rows!::bigint - 1
 * ) AS of_queue
 * ORDER BY
 *   CASE WHEN :ascending! THEN of_queue.created_at END, CASE WHEN :ascending! THEN of_queue.job_id END,
 *   CASE WHEN NOT :ascending! THEN of_queue.created_at END DESC, CASE WHEN NOT :ascending! THEN of_queue.job_id END DESC
 * LIMIT 1
 * ```
 */
export const findDeadLettersEnd = new PreparedQuery<FindDeadLettersEndParams,FindDeadLettersEndResult>(findDeadLettersEndIR);


/** 'ListLive' parameters type */
export interface ListLiveParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  ascending: boolean;
  createdAfter?: string | null | void;
  createdBefore?: string | null | void;
  endId?: string | null | void;
  endTime?: string | null | void;
  jobType?: string | null | void;
  organizationId: string;
  queues?: stringArray | null | void;
  skip: number;
  states: live_stateArray;
  tag?: string | null | void;
  take: number;
  text?: string | null | void;
}

/** 'ListLive' return type */
export interface ListLiveResult {
  created_at: string;
  id: string;
}

/** 'ListLive' query type */
export interface ListLiveQuery {
  params: ListLiveParams;
  result: ListLiveResult;
}

const listLiveIR: any = {"usedParamSet":{"states":true,"organizationId":true,"queues":true,"createdAfter":true,"createdBefore":true,"afterTime":true,"afterId":true,"endTime":true,"endId":true,"ascending":true,"tag":true,"jobType":true,"text":true,"take":true,"skip":true},"params":[{"name":"states","required":true,"transform":{"type":"scalar"},"locs":[{"a":314,"b":321},{"a":508,"b":515},{"a":704,"b":711},{"a":897,"b":904}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":360,"b":375},{"a":554,"b":569},{"a":750,"b":765},{"a":943,"b":958},{"a":1332,"b":1347},{"a":1582,"b":1597}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":995,"b":1001},{"a":1042,"b":1048}]},{"name":"createdAfter","required":false,"transform":{"type":"scalar"},"locs":[{"a":1097,"b":1109}]},{"name":"createdBefore","required":false,"transform":{"type":"scalar"},"locs":[{"a":1125,"b":1138}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":1158,"b":1167}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":1183,"b":1190}]},{"name":"endTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":1199,"b":1206}]},{"name":"endId","required":false,"transform":{"type":"scalar"},"locs":[{"a":1222,"b":1227}]},{"name":"ascending","required":true,"transform":{"type":"scalar"},"locs":[{"a":1236,"b":1246},{"a":1728,"b":1738},{"a":1773,"b":1783},{"a":1820,"b":1830},{"a":1874,"b":1884}]},{"name":"tag","required":false,"transform":{"type":"scalar"},"locs":[{"a":1426,"b":1429},{"a":1664,"b":1667}]},{"name":"jobType","required":false,"transform":{"type":"scalar"},"locs":[{"a":1449,"b":1456},{"a":1676,"b":1683}]},{"name":"text","required":false,"transform":{"type":"scalar"},"locs":[{"a":1476,"b":1480},{"a":1692,"b":1696}]},{"name":"take","required":true,"transform":{"type":"scalar"},"locs":[{"a":1915,"b":1920}]},{"name":"skip","required":true,"transform":{"type":"scalar"},"locs":[{"a":1929,"b":1934}]}],"statement":"-- Ids of the next live jobs of a list in :states, by the partial indexes of job_queue. Sorts all of them: countLive comes first.\n-- Other parameters as in listJobsOfTypes.\nSELECT q.job_id AS \"id!\", q.created_at AS \"created_at!\"\nFROM (\n  SELECT job_id, queue_name, created_at FROM job_queue\n  WHERE 'ready' = ANY (:states!::live_state[]) AND organization_id = :organizationId! AND state = 'ready' AND dependencies_met\n  UNION ALL\n  SELECT job_id, queue_name, created_at FROM job_queue\n  WHERE 'ready' = ANY (:states!::live_state[]) AND organization_id = :organizationId! AND state = 'ready' AND NOT dependencies_met\n  UNION ALL\n  SELECT job_id, queue_name, created_at FROM job_queue\n  WHERE state = ANY (:states!::live_state[]) AND organization_id = :organizationId! AND state IN ('scheduled', 'retrying')\n  UNION ALL\n  SELECT job_id, queue_name, created_at FROM job_queue\n  WHERE 'leased' = ANY (:states!::live_state[]) AND organization_id = :organizationId! AND state = 'leased'\n) AS q\nWHERE (:queues::text[] IS NULL OR q.queue_name = ANY (:queues))\n  AND within_page_v1(q.created_at, q.job_id, :createdAfter::timestamptz, :createdBefore::timestamptz,\n    :afterTime::timestamptz, :afterId::uuid, :endTime::timestamptz, :endId::uuid, :ascending!)\n  AND NOT EXISTS (\n    SELECT FROM queue_deletions x\n    WHERE x.organization_id = :organizationId! AND x.queue_name = q.queue_name AND q.created_at <= x.deleted_until)\n  AND ((:tag::text IS NULL AND :jobType::text IS NULL AND :text::text IS NULL) OR EXISTS (\n    SELECT FROM jobs j\n    WHERE j.id = q.job_id AND j.organization_id = :organizationId!\n      AND job_matches_v1(j.id, j.queue_name, j.job_type, j.tags, :tag::text, :jobType::text, :text::text)))\nORDER BY\n  CASE WHEN :ascending! THEN q.created_at END, CASE WHEN :ascending! THEN q.job_id END,\n  CASE WHEN NOT :ascending! THEN q.created_at END DESC, CASE WHEN NOT :ascending! THEN q.job_id END DESC\nLIMIT :take! OFFSET :skip!"};

/**
 * Query generated from SQL:
 * ```
 * -- Ids of the next live jobs of a list in :states, by the partial indexes of job_queue. Sorts all of them: countLive comes first.
 * -- Other parameters as in listJobsOfTypes.
 * SELECT q.job_id AS "id!", q.created_at AS "created_at!"
 * FROM (
 *   SELECT job_id, queue_name, created_at FROM job_queue
 *   WHERE 'ready' = ANY (:states!::live_state[]) AND organization_id = :organizationId! AND state = 'ready' AND dependencies_met
 *   UNION ALL
 *   SELECT job_id, queue_name, created_at FROM job_queue
 *   WHERE 'ready' = ANY (:states!::live_state[]) AND organization_id = :organizationId! AND state = 'ready' AND NOT dependencies_met
 *   UNION ALL
 *   SELECT job_id, queue_name, created_at FROM job_queue
 *   WHERE state = ANY (:states!::live_state[]) AND organization_id = :organizationId! AND state IN ('scheduled', 'retrying')
 *   UNION ALL
 *   SELECT job_id, queue_name, created_at FROM job_queue
 *   WHERE 'leased' = ANY (:states!::live_state[]) AND organization_id = :organizationId! AND state = 'leased'
 * ) AS q
 * WHERE (:queues::text[] IS NULL OR q.queue_name = ANY (:queues))
 *   AND within_page_v1(q.created_at, q.job_id, :createdAfter::timestamptz, :createdBefore::timestamptz,
 *     :afterTime::timestamptz, :afterId::uuid, :endTime::timestamptz, :endId::uuid, :ascending!)
 *   AND NOT EXISTS (
 *     SELECT FROM queue_deletions x
 *     WHERE x.organization_id = :organizationId! AND x.queue_name = q.queue_name AND q.created_at <= x.deleted_until)
 *   AND ((:tag::text IS NULL AND :jobType::text IS NULL AND :text::text IS NULL) OR EXISTS (
 *     SELECT FROM jobs j
 *     WHERE j.id = q.job_id AND j.organization_id = :organizationId!
 *       AND job_matches_v1(j.id, j.queue_name, j.job_type, j.tags, :tag::text, :jobType::text, :text::text)))
 * ORDER BY
 *   CASE WHEN :ascending! THEN q.created_at END, CASE WHEN :ascending! THEN q.job_id END,
 *   CASE WHEN NOT :ascending! THEN q.created_at END DESC, CASE WHEN NOT :ascending! THEN q.job_id END DESC
 * LIMIT :take! OFFSET :skip!
 * ```
 */
export const listLive = new PreparedQuery<ListLiveParams,ListLiveResult>(listLiveIR);


/** 'CountLive' parameters type */
export interface CountLiveParams {
  most: number;
  organizationId: string;
  queues?: stringArray | null | void;
  states: live_stateArray;
}

/** 'CountLive' return type */
export interface CountLiveResult {
  count: number;
}

/** 'CountLive' query type */
export interface CountLiveQuery {
  params: CountLiveParams;
  result: CountLiveResult;
}

const countLiveIR: any = {"usedParamSet":{"states":true,"organizationId":true,"queues":true,"most":true},"params":[{"name":"states","required":true,"transform":{"type":"scalar"},"locs":[{"a":258,"b":265},{"a":458,"b":465},{"a":660,"b":667},{"a":859,"b":866}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":304,"b":319},{"a":504,"b":519},{"a":706,"b":721},{"a":905,"b":920}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":960,"b":966},{"a":1007,"b":1013}]},{"name":"most","required":true,"transform":{"type":"scalar"},"locs":[{"a":1024,"b":1029}]}],"statement":"-- How many live jobs of :states and :queues (null = all) there are, but at most :most. By the partial indexes of job_queue.\nSELECT count(*) AS \"count!\"\nFROM (\n  SELECT FROM (\n    SELECT job_id, queue_name, created_at FROM job_queue\n    WHERE 'ready' = ANY (:states!::live_state[]) AND organization_id = :organizationId! AND state = 'ready' AND dependencies_met\n    UNION ALL\n    SELECT job_id, queue_name, created_at FROM job_queue\n    WHERE 'ready' = ANY (:states!::live_state[]) AND organization_id = :organizationId! AND state = 'ready' AND NOT dependencies_met\n    UNION ALL\n    SELECT job_id, queue_name, created_at FROM job_queue\n    WHERE state = ANY (:states!::live_state[]) AND organization_id = :organizationId! AND state IN ('scheduled', 'retrying')\n    UNION ALL\n    SELECT job_id, queue_name, created_at FROM job_queue\n    WHERE 'leased' = ANY (:states!::live_state[]) AND organization_id = :organizationId! AND state = 'leased'\n  ) AS q\n  WHERE :queues::text[] IS NULL OR q.queue_name = ANY (:queues)\n  LIMIT :most!\n) AS counted"};

/**
 * Query generated from SQL:
 * ```
 * -- How many live jobs of :states and :queues (null = all) there are, but at most :most. By the partial indexes of job_queue.
 * SELECT count(*) AS "count!"
 * FROM (
 *   SELECT FROM (
 *     SELECT job_id, queue_name, created_at FROM job_queue
 *     WHERE 'ready' = ANY (:states!::live_state[]) AND organization_id = :organizationId! AND state = 'ready' AND dependencies_met
 *     UNION ALL
 *     SELECT job_id, queue_name, created_at FROM job_queue
 *     WHERE 'ready' = ANY (:states!::live_state[]) AND organization_id = :organizationId! AND state = 'ready' AND NOT dependencies_met
 *     UNION ALL
 *     SELECT job_id, queue_name, created_at FROM job_queue
 *     WHERE state = ANY (:states!::live_state[]) AND organization_id = :organizationId! AND state IN ('scheduled', 'retrying')
 *     UNION ALL
 *     SELECT job_id, queue_name, created_at FROM job_queue
 *     WHERE 'leased' = ANY (:states!::live_state[]) AND organization_id = :organizationId! AND state = 'leased'
 *   ) AS q
 *   WHERE :queues::text[] IS NULL OR q.queue_name = ANY (:queues)
 *   LIMIT :most!
 * ) AS counted
 * ```
 */
export const countLive = new PreparedQuery<CountLiveParams,CountLiveResult>(countLiveIR);


