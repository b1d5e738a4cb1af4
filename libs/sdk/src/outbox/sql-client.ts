/**
 * How an outbox reaches PostgreSQL: a client or pool of node-postgres or PGlite, an `EntityManager` of TypeORM, or an object with this
 * method around any other library. All values are texts or null, and each statement uses them once and in order.
 */
export interface SqlClient {
  /** @returns the rows, or an object with `rows` */
  query(text: string, values: (string | null)[]): Promise<unknown>;
}

/** @throws TypeError when the answer has no rows; errors of PostgreSQL as they are */
export async function rowsOf<Row>(client: SqlClient, text: string, values: (string | null)[] = []): Promise<Row[]> {
  const answer = await client.query(text, values);
  const rows: unknown = Array.isArray(answer) ? answer : (answer as { rows?: unknown } | undefined)?.rows;
  if (!Array.isArray(rows)) throw new TypeError('query: must return the rows, or an object with rows');
  return rows as Row[];
}

/** For callers without types. @throws TypeError */
export function requireClient(client: unknown, field: string): SqlClient {
  if (typeof (client as { query?: unknown } | null | undefined)?.query === 'function') return client as SqlClient;
  throw new TypeError(`${field}: must have query(text, values), as clients of node-postgres have`);
}
