/** A role under row-level security as which statements run. */
export type ServiceRole = `${string}_app` | `${string}_system`;

/** The names of an installation's parts in its database. */
export interface Installation {
  /** The schema of its tables and functions; nothing else is on the search path. */
  readonly schema: string;
  /** The role of requests. */
  readonly app: ServiceRole;
  /** The role of maintenance. */
  readonly system: ServiceRole;
  /** The channel of wake-ups. */
  readonly wakeupChannel: string;
}

const defaultSchema = 'public';
/** Needs no quotes in options of a connection, and with the longest ending fits an identifier. */
const validName = /^(?!pg_|information_schema$)[a-z][a-z0-9_]{0,39}$/;
const parts = ['app', 'system', 'wakeups'] as const;

/**
 * The installation in a schema. Roles belong to the server, so those of each schema have its name: installations in two databases have
 * passwords of their own, and none may read another one in the same database.
 * @throws TypeError for a name that is not allowed
 */
export function installationIn(schema = defaultSchema): Installation {
  const prefix = schema === defaultSchema ? 'spooled' : requireName(schema);
  const [app, system, wakeupChannel] = parts.map((part) => `${prefix}_${part}` as const);
  return { schema, app: app as ServiceRole, system: system as ServiceRole, wakeupChannel: wakeupChannel! };
}

/** The login that may be in use while the password of the role's own login changes. PostgreSQL switches it to the role. */
export const secondLoginOf = (role: ServiceRole): string => `${role}_next`;

/** A migration or function with the names of this installation in place of those that its file has. */
export function withNamesOf({ schema, app, system }: Installation, sql: string): string {
  if (schema === defaultSchema) return sql;
  const names: Record<string, string> = { spooled_app: app, spooled_system: system, public: `"${schema}"` };
  return sql.replaceAll(/\b(?:spooled_app|spooled_system|public)\b/g, (name) => names[name]!);
}

function requireName(schema: string): string {
  if (schema === 'spooled') {
    throw new TypeError(`schema: the roles of "spooled" belong to the schema "${defaultSchema}"; choose another name`);
  }
  if (typeof schema !== 'string' || !validName.test(schema)) {
    throw new TypeError(
      'schema: must be 1 to 40 lower-case letters, digits and underscores, begin with a letter, and not with "pg_"',
    );
  }
  return schema;
}
