import type pg from 'pg';

const name = 'bench_peers';

/** A separate database for the peers on the same PostgreSQL server. */
export async function peersDatabase(
  superuser: pg.Pool,
  superuserUrl: string,
): Promise<AsyncDisposable & { url: string }> {
  await drop(superuser);
  await superuser.query(`CREATE DATABASE ${name}`);
  const url = Object.assign(new URL(superuserUrl), { pathname: `/${name}` }).href;
  return { url, [Symbol.asyncDispose]: () => drop(superuser) };
}

async function drop(superuser: pg.Pool): Promise<void> {
  await superuser.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}
