/** Types generated for queries found in "libs/data-access/src/queue-settings/queue-tokens.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'TakeQueueTokens' parameters type */
export interface TakeQueueTokensParams {
  organizationId: string;
  queueName: string;
  ratePerSecond: number;
  wanted: number;
}

/** 'TakeQueueTokens' return type */
export interface TakeQueueTokensResult {
  taken: number;
  tokens: number;
}

/** 'TakeQueueTokens' query type */
export interface TakeQueueTokensQuery {
  params: TakeQueueTokensParams;
  result: TakeQueueTokensResult;
}

const takeQueueTokensIR: any = {"usedParamSet":{"ratePerSecond":true,"wanted":true,"organizationId":true,"queueName":true},"params":[{"name":"ratePerSecond","required":true,"transform":{"type":"scalar"},"locs":[{"a":369,"b":383},{"a":450,"b":464},{"a":844,"b":858},{"a":960,"b":974},{"a":1083,"b":1097},{"a":1219,"b":1233},{"a":1333,"b":1347}]},{"name":"wanted","required":true,"transform":{"type":"scalar"},"locs":[{"a":414,"b":421},{"a":888,"b":895},{"a":1177,"b":1184}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":555,"b":570}]},{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":591,"b":601}]}],"statement":"-- Takes up to :wanted tokens from the bucket of a queue; a negative number returns tokens. The bucket holds one second's tokens, at\n-- least one, and is refilled continuously. No row: the queue has been deleted. Index: primary keys.\nINSERT INTO queue_tokens AS t (organization_id, queue_name, tokens, refilled_at)\nSELECT c.organization_id, c.queue_name,\n  greatest(1, :ratePerSecond!::float8) - greatest(0, least(:wanted!::float8, floor(greatest(1, :ratePerSecond!::float8)))), current_ts(clock_timestamp())\nFROM queue_config c\nWHERE c.organization_id = :organizationId! AND c.queue_name = :queueName!\nON CONFLICT (organization_id, queue_name) DO UPDATE SET\n  -- The time of another transaction may be later: this one waited for the row.\n  refilled_at = greatest(t.refilled_at, excluded.refilled_at),\n  tokens = (\n    SELECT least(greatest(1, :ratePerSecond!::float8), available - least(:wanted!::float8, floor(available)))\n    FROM (SELECT least(greatest(1, :ratePerSecond!::float8), t.tokens\n      + greatest(0, extract(epoch FROM excluded.refilled_at - t.refilled_at)::float8) * :ratePerSecond!::float8) AS available) AS bucket\n  )\nRETURNING new.tokens AS \"tokens!\", least(:wanted!::float8, floor(least(greatest(1, :ratePerSecond!::float8),\n  coalesce(old.tokens + extract(epoch FROM new.refilled_at - old.refilled_at)::float8 * :ratePerSecond!::float8, 'infinity')))) AS \"taken!\""};

/**
 * Query generated from SQL:
 * ```
 * -- Takes up to :wanted tokens from the bucket of a queue; a negative number returns tokens. The bucket holds one second's tokens, at
 * -- least one, and is refilled continuously. No row: the queue has been deleted. Index: primary keys.
 * INSERT INTO queue_tokens AS t (organization_id, queue_name, tokens, refilled_at)
 * SELECT c.organization_id, c.queue_name,
 *   greatest(1, :ratePerSecond!::float8) - greatest(0, least(:wanted!::float8, floor(greatest(1, :ratePerSecond!::float8)))), current_ts(clock_timestamp())
 * FROM queue_config c
 * WHERE c.organization_id = :organizationId! AND c.queue_name = :queueName!
 * ON CONFLICT (organization_id, queue_name) DO UPDATE SET
 *   -- The time of another transaction may be later: this one waited for the row.
 *   refilled_at = greatest(t.refilled_at, excluded.refilled_at),
 *   tokens = (
 *     SELECT least(greatest(1, :ratePerSecond!::float8), available - least(:wanted!::float8, floor(available)))
 *     FROM (SELECT least(greatest(1, :ratePerSecond!::float8), t.tokens
 *       + greatest(0, extract(epoch FROM excluded.refilled_at - t.refilled_at)::float8) * :ratePerSecond!::float8) AS available) AS bucket
 *   )
 * RETURNING new.tokens AS "tokens!", least(:wanted!::float8, floor(least(greatest(1, :ratePerSecond!::float8),
 *   coalesce(old.tokens + extract(epoch FROM new.refilled_at - old.refilled_at)::float8 * :ratePerSecond!::float8, 'infinity')))) AS "taken!"
 * ```
 */
export const takeQueueTokens = new PreparedQuery<TakeQueueTokensParams,TakeQueueTokensResult>(takeQueueTokensIR);


/** 'ReadQueueTokens' parameters type */
export interface ReadQueueTokensParams {
  organizationId: string;
  queueName: string;
  ratePerSecond: number;
}

/** 'ReadQueueTokens' return type */
export interface ReadQueueTokensResult {
  tokens: number;
}

/** 'ReadQueueTokens' query type */
export interface ReadQueueTokensQuery {
  params: ReadQueueTokensParams;
  result: ReadQueueTokensResult;
}

const readQueueTokensIR: any = {"usedParamSet":{"ratePerSecond":true,"organizationId":true,"queueName":true},"params":[{"name":"ratePerSecond","required":true,"transform":{"type":"scalar"},"locs":[{"a":189,"b":203}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":268,"b":283}]},{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":302,"b":312}]}],"statement":"-- The tokens in the bucket of a queue, null if it was never used; takes none. Index: primary key.\nSELECT tokens + extract(epoch FROM current_ts(clock_timestamp()) - refilled_at)::float8 * :ratePerSecond!::float8 AS \"tokens!\"\nFROM queue_tokens WHERE organization_id = :organizationId! AND queue_name = :queueName!"};

/**
 * Query generated from SQL:
 * ```
 * -- The tokens in the bucket of a queue, null if it was never used; takes none. Index: primary key.
 * SELECT tokens + extract(epoch FROM current_ts(clock_timestamp()) - refilled_at)::float8 * :ratePerSecond!::float8 AS "tokens!"
 * FROM queue_tokens WHERE organization_id = :organizationId! AND queue_name = :queueName!
 * ```
 */
export const readQueueTokens = new PreparedQuery<ReadQueueTokensParams,ReadQueueTokensResult>(readQueueTokensIR);


