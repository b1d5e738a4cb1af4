import { PreparedQuery } from '../../../libs/data-access/src/database/prepared-query.ts';

/** The template of the databases of specs, where one function at a time is changed. */
export class MutantDatabase {
  #urls;

  /** On the server of `npm run test:server` or of this run. Specs that start later clone this database. */
  static async create(pg) {
    const database = new MutantDatabase();
    const name = `spooled_mutants_${process.pid}`;
    const server = process.env.SPOOLED_TEST_DATABASE_URL;
    database.pg = pg;
    database.name = name;
    database.#urls = { server, superuser: urlOf(server, name), owner: urlOf(server, name, 'spooled_owner', 'owner') };
    await database.#query(
      server,
      `CREATE DATABASE ${name} TEMPLATE ${process.env.SPOOLED_TEST_TEMPLATE} OWNER spooled_owner`,
    );
    process.env.SPOOLED_TEST_TEMPLATE = name;
    return database;
  }

  /** @throws Error when PostgreSQL does not accept the function */
  install(sql) {
    return this.#query(this.#urls.owner, sql);
  }

  /** @throws Error when PostgreSQL does not accept a statement of the file */
  async check(source) {
    for (const [, name] of source.matchAll(/\/\* @name (\w+) \*\//g))
      await this.#query(this.#urls.superuser, `PREPARE checked AS ${new PreparedQuery(source, name).text}`);
  }

  /** Ends what a mutant that never ends is doing. */
  terminateAll() {
    const others = `datname LIKE 'spooled\\_test\\_%'`;
    return this.#query(this.#urls.server, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${others}`);
  }

  drop() {
    return this.#query(this.#urls.server, `DROP DATABASE IF EXISTS ${this.name} WITH (FORCE)`);
  }

  async #query(connectionString, sql) {
    const client = new this.pg.Client({ connectionString });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  }
}

function urlOf(server, name, user, password) {
  const url = new URL(server);
  url.pathname = `/${name}`;
  if (user) Object.assign(url, { username: user, password });
  return url.href;
}
