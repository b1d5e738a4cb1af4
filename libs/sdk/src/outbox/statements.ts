const named = /^[a-z_][a-z0-9_]{0,47}(\.[a-z_][a-z0-9_]{0,47})?$/;

export type Statements = ReturnType<typeof statementsFor>;

/**
 * The statements of an outbox, for PostgreSQL 14 or newer.
 *
 * A row is waiting while `due_at` has passed. A relay that takes it moves `due_at` to the end of its lease; a row that was postponed is
 * due later, and one that was refused at infinity. So a key of ordering is blocked if any of its rows is not due.
 *
 * Each value is a text to its client and cast here: some clients write what they take for JSON once more.
 *
 * @param table with or without a schema
 * @throws TypeError for a name that would have to be quoted
 */
export function statementsFor(table: string) {
  if (!named.test(table))
    throw new TypeError('table: must be lower case letters, digits and _, as in app.spooled_outbox');
  const name = table
    .split('.')
    .map((part) => `"${part}"`)
    .join('.');
  const index = (suffix: string) => `"${table.split('.').at(-1)}_${suffix}"`;
  return {
    // One statement, so that any client can run it; the lock is for processes that start at the same time.
    create: `DO $do$ BEGIN
  IF to_regclass('${name}') IS NULL THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('spooled outbox', 0));
    CREATE TABLE IF NOT EXISTS ${name} (
      seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      id uuid NOT NULL,
      ordering_key text,
      queue_name text NOT NULL,
      job text NOT NULL,
      size integer NOT NULL GENERATED ALWAYS AS (octet_length(job)) STORED,
      created_at timestamptz NOT NULL DEFAULT now(),
      due_at timestamptz NOT NULL DEFAULT now(),
      taken_by uuid,
      attempts integer NOT NULL DEFAULT 0,
      last_error text,
      refused_at timestamptz
    );
    CREATE INDEX IF NOT EXISTS ${index('waiting')} ON ${name} (seq) WHERE refused_at IS NULL;
    CREATE INDEX IF NOT EXISTS ${index('order')} ON ${name} (ordering_key, seq) WHERE ordering_key IS NOT NULL;
    CREATE INDEX IF NOT EXISTS ${index('blocked')} ON ${name} (due_at) WHERE ordering_key IS NOT NULL;
    CREATE INDEX IF NOT EXISTS ${index('refused')} ON ${name} (refused_at) WHERE refused_at IS NOT NULL;
  END IF;
END $do$`,

    transaction: `SELECT pg_current_xact_id()::text AS xid, to_regclass('${name}')::text AS found`,

    // Nothing is added outside of the transaction that `transaction` has named: without BEGIN each statement has its own.
    add: `INSERT INTO ${name} (id, ordering_key, queue_name, job)
SELECT $1::text::uuid, $2::text, $3::text, $4::text
WHERE pg_current_xact_id_if_assigned()::text = $5::text
RETURNING id::text AS id`,

    // Refused rows may be many: their index leaves them out. `blocked` is only read for a row that has a key.
    take: `WITH blocked AS MATERIALIZED (
  SELECT DISTINCT ordering_key FROM ${name} WHERE ordering_key IS NOT NULL AND due_at > now()
), ready AS MATERIALIZED (
  SELECT o.seq, o.size FROM ${name} AS o
  WHERE o.refused_at IS NULL AND o.due_at <= now() AND (o.ordering_key IS NULL OR o.ordering_key NOT IN (SELECT ordering_key FROM blocked))
  ORDER BY o.seq LIMIT $1::text::integer
  FOR UPDATE OF o SKIP LOCKED
), counted AS (
  SELECT seq, sum(size) OVER (ORDER BY seq) - size AS before FROM ready
), taken AS (
  UPDATE ${name} AS o SET due_at = now() + $2::text::float8 * interval '1 millisecond', taken_by = $3::text::uuid
  FROM counted WHERE o.seq = counted.seq AND counted.before < $4::text::bigint
  RETURNING o.seq, o.id, o.ordering_key, o.queue_name, o.job, o.size, o.attempts
)
SELECT seq::text AS "seqText", id::text AS id, ordering_key AS "orderingKey", queue_name AS "queueName", job, size, attempts
FROM taken ORDER BY taken.seq`,

    // Two relays that take at the same moment do not see each other's rows, so each looks again afterwards.
    others: `SELECT k.value AS "orderingKey", other.seq::text AS "seqText"
FROM json_array_elements_text($1::text::json) AS k
CROSS JOIN LATERAL (
  SELECT o.seq FROM ${name} AS o
  WHERE o.ordering_key = k.value AND o.taken_by IS DISTINCT FROM $2::text::uuid
  ORDER BY o.seq LIMIT 1
) AS other`,

    // Also when another relay has taken the row since: its job exists.
    remove: `DELETE FROM ${name} WHERE seq IN (SELECT value::bigint FROM json_array_elements_text($1::text::json))`,

    giveBack: `UPDATE ${name} SET due_at = now(), taken_by = NULL
WHERE seq IN (SELECT value::bigint FROM json_array_elements_text($1::text::json)) AND taken_by = $2::text::uuid`,

    postpone: `UPDATE ${name} SET due_at = now() + $1::text::float8 * interval '1 millisecond', taken_by = NULL,
  attempts = attempts + 1, last_error = $2::text
WHERE seq IN (SELECT value::bigint FROM json_array_elements_text($3::text::json)) AND taken_by = $4::text::uuid`,

    refuse: `UPDATE ${name} SET due_at = 'infinity', taken_by = NULL, refused_at = now(),
  attempts = attempts + 1, last_error = $1::text
WHERE seq IN (SELECT value::bigint FROM json_array_elements_text($2::text::json)) AND taken_by = $3::text::uuid`,

    status: `SELECT count(*) FILTER (WHERE refused_at IS NULL)::text AS waiting,
  count(*) FILTER (WHERE refused_at IS NOT NULL)::text AS refused,
  floor(extract(epoch FROM min(created_at) FILTER (WHERE refused_at IS NULL)) * 1000)::text AS oldest
FROM ${name}`,

    refused: `SELECT id::text AS id, ordering_key AS "orderingKey", queue_name AS "queueName", job, last_error AS error,
  floor(extract(epoch FROM refused_at) * 1000)::text AS "refusedAt"
FROM ${name} WHERE refused_at IS NOT NULL ORDER BY refused_at, seq LIMIT $1::text::integer`,

    retry: `WITH changed AS (
  UPDATE ${name} SET due_at = now(), refused_at = NULL
  WHERE refused_at IS NOT NULL AND id IN (SELECT value::uuid FROM json_array_elements_text($1::text::json)) RETURNING id
) SELECT id::text AS id FROM changed`,

    discard: `WITH changed AS (
  DELETE FROM ${name}
  WHERE refused_at IS NOT NULL AND id IN (SELECT value::uuid FROM json_array_elements_text($1::text::json)) RETURNING id
) SELECT id::text AS id FROM changed`,
  };
}
