/** The form of the libraries without an adapter: an object with this method around their transaction. */
export interface SqlClient {
  /**
   * Runs one statement with parameters `$1`, `$2` and so on.
   * @param values texts or null; PostgreSQL decides their types, so they must not be sent as JSON or with a type
   * @returns the rows, or an object with `rows`
   */
  query(text: string, values: (string | null)[]): PromiseLike<unknown>;
}

type Method = (...values: never[]) => unknown;

/** A client, or a transaction, of a library that `adapters` names, or an `SqlClient`. No library is a dependency of this package. */
export type DatabaseClient =
  | { query: Method }
  | { unsafe: Method }
  | { execute: Method; _: unknown }
  | { executeQuery: Method }
  | { raw: Method }
  | { $queryRawUnsafe: Method };

interface Adapter {
  libraries: string;
  fits(client: Members): boolean;
  query(client: Members): SqlClient['query'];
}

/** Anything, with the methods that it may have. */
type Members = Record<string, ((...values: unknown[]) => PromiseLike<unknown>) | undefined>;

/** The OID of `unknown`: PostgreSQL decides, as for other libraries. Without it postgres.js writes texts for `json` as JSON. */
const unknownType = 705;

const has = (client: Members, method: string): boolean => typeof client[method] === 'function';

/** What tells the libraries apart, and how each runs a statement. The first that fits counts. */
const adapters: Adapter[] = [
  {
    libraries: 'Prisma',
    fits: (client) => has(client, '$queryRawUnsafe'),
    query: (client) => (text, values) => client.$queryRawUnsafe!(text, ...values),
  },
  {
    libraries: 'postgres.js',
    fits: (client) => has(client, 'unsafe') && has(client, 'typed'),
    query: (client) => (text, values) =>
      client.unsafe!(
        text,
        values.map((value) => (value === null ? null : client.typed!(value, unknownType))),
      ),
  },
  {
    libraries: 'Knex',
    fits: (client) => has(client, 'raw'),
    query: (client) => (text, values) => client.raw!(...withQuestionMarks(text, values)),
  },
  {
    libraries: 'Kysely',
    fits: (client) => has(client, 'executeQuery'),
    query: (client) => (text, values) => client.executeQuery!(compiledQuery(text, values)),
  },
  {
    libraries: 'Drizzle',
    fits: (client) => has(client, 'execute') && has((client.dialect ?? {}) as unknown as Members, 'sqlToQuery'),
    query: (client) => (text, values) => client.execute!(drizzleQuery(text, values)),
  },
  {
    libraries: 'node-postgres, TypeORM and PGlite',
    fits: (client) => has(client, 'query'),
    query: (client) => (text, values) => client.query!(text, values),
  },
];

const supported = `${adapters.map(({ libraries }) => libraries).join(', ')}, or an object with query(text, values)`;

/**
 * How to run statements with a client or transaction of a library.
 * @param field its name, for errors
 * @throws TypeError for anything else; Error for a client of node-postgres that is not connected, where statements would wait without end
 */
export function sqlClientOf(client: unknown, field: string): SqlClient {
  const isObject = (typeof client === 'object' && client !== null) || typeof client === 'function';
  const adapter = isObject ? adapters.find(({ fits }) => fits(client as Members)) : undefined;
  if (!adapter) throw new TypeError(`${field}: must be a client of ${supported}`);
  requireConnected(client as object, field);
  return { query: adapter.query(client as Members) };
}

/** @throws TypeError when the answer has no rows; errors of PostgreSQL as they are */
export async function rowsOf<Row>(client: SqlClient, text: string, values: (string | null)[] = []): Promise<Row[]> {
  const answer = await client.query(text, values);
  const rows: unknown = Array.isArray(answer) ? answer : (answer as { rows?: unknown } | null | undefined)?.rows;
  if (!Array.isArray(rows)) throw new TypeError('query: must return the rows, or an object with rows');
  return rows as Row[];
}

/** One connection of node-postgres: a `Client`, or what `pool.connect()` gives. */
export const isConnection = (client: object): boolean =>
  has(client as Members, 'query') && typeof (client as { _connected?: unknown })._connected === 'boolean';

/** node-postgres keeps statements until `connect`, which may never come. */
function requireConnected(client: object, field: string): void {
  const { _connected: isConnected, _connecting: isConnecting } = client as Record<string, unknown>;
  if (!isConnection(client) || isConnected || isConnecting) return;
  throw new Error(`${field}: this client is not connected: call connect() first`);
}

/** `$1` as `?`, each with its value; other question marks are escaped. */
function withQuestionMarks(text: string, values: (string | null)[]): [string, (string | null)[]] {
  const used: (string | null)[] = [];
  const raw = text.replaceAll(/\?|\$(\d+)/g, (mark, number?: string) => {
    if (number === undefined) return `\\${mark}`;
    used.push(values[Number(number) - 1] ?? null);
    return '?';
  });
  return [raw, used];
}

/** What `CompiledQuery.raw` of Kysely makes. */
const compiledQuery = (sql: string, parameters: (string | null)[]) => ({
  ...{ sql, parameters, query: { kind: 'RawNode', sqlFragments: [sql], parameters: [] } },
  queryId: { queryId: 'spooled' },
});

/** An `SQLWrapper` of Drizzle whose SQL has been written already. */
const drizzleQuery = (sql: string, params: (string | null)[]) => ({
  getSQL: () => ({ toQuery: () => ({ sql, params }) }),
});
