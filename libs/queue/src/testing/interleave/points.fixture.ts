import type { EngineFixture } from '../job-lifecycle.fixture.js';

/** Class of the advisory locks at which actors wait; an actor has two, for its points in turn. */
export const pointClass = 7_331;

/** What may follow a statement without being one. */
const noStatement = /^(end|else|elsif|exception|when|declare)\b/i;
/** Its loop depends on process ids, so a seed would not repeat it. */
const withoutPoints = ['interleave_point', 'interleave_commit', 'take_counter_slot_v1'];

/** Tables that an act writes before it commits. */
const writtenTables = [
  'jobs',
  'job_queue',
  'job_dependencies',
  'job_steps',
  'dead_letters',
  'queue_config',
  'command_log',
  'batches',
  'batch_jobs',
];
/** Tables whose statements have a point after their snapshot, before the first row: they are statements of a client. */
const clientTables = ['batches', 'batch_jobs'];

/**
 * A point waits for an advisory lock that the scheduler holds. Sessions without `interleave.actor` pass. A transaction that has written has
 * one before its commit, by a deferred trigger.
 */
const definitions = `
  CREATE FUNCTION interleave_point(place text) RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE
    actor text := coalesce(current_setting('interleave.actor', true), '');
    lock integer;
  BEGIN
    IF actor = '' THEN
      RETURN true;
    END IF;
    PERFORM set_config('application_name', place, true);
    -- A sequence, because what a transaction writes is undone when it is rolled back.
    lock := actor::integer * 2 + nextval('interleave_' || actor) % 2;
    PERFORM pg_advisory_lock(${pointClass}, lock);
    PERFORM pg_advisory_unlock(${pointClass}, lock);
    RETURN true;
  END $$;
  CREATE FUNCTION interleave_commit() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF current_setting('interleave.commits', true) IS DISTINCT FROM 'yes' THEN
      PERFORM set_config('interleave.commits', 'yes', true);
      PERFORM interleave_point('COMMIT');
    END IF;
    RETURN NULL;
  END $$;
  CREATE FUNCTION interleave_statement() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM interleave_point(TG_OP || ' ' || TG_TABLE_NAME);
    RETURN NULL;
  END $$;`;

/** Puts a point before each statement of each database function, and before commits. */
export async function installPoints(fixture: EngineFixture, actors: readonly number[]): Promise<void> {
  const functions = await fixture.sql<{ name: string; body: string; definition: string }>(
    `SELECT proname AS name, prosrc AS body, pg_get_functiondef(p.oid) AS definition FROM pg_proc p JOIN pg_language l ON l.oid = prolang
     WHERE pronamespace = 'public'::regnamespace AND lanname = 'plpgsql' AND provolatile = 'v' AND prorettype <> 'trigger'::regtype
       AND prokind = 'f' AND NOT prosecdef`,
  );
  const changed = functions
    .filter(({ name }) => !withoutPoints.includes(name))
    .map(({ name, body, definition }) => definition.replace(body, () => withPoints(name, body)));
  const triggers = writtenTables.map(
    (table) => `CREATE CONSTRAINT TRIGGER interleave_commit AFTER INSERT OR UPDATE OR DELETE ON ${table}
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION interleave_commit()`,
  );
  const statements = clientTables.map(
    (table) => `CREATE TRIGGER interleave_statement BEFORE INSERT OR UPDATE OR DELETE ON ${table}
      FOR EACH STATEMENT EXECUTE FUNCTION interleave_statement()`,
  );
  const sequences = actors.map(
    (n) => `CREATE SEQUENCE interleave_${n}; GRANT USAGE ON SEQUENCE interleave_${n} TO PUBLIC`,
  );
  await fixture.sql([definitions, ...sequences, ...changed, ...triggers, ...statements].join(';\n'));
}

/** The body of a function in PL/pgSQL with a point at its beginning and after each statement. */
export function withPoints(name: string, body: string): string {
  let number = 0;
  let isBody = false;
  let result = '';
  // PERFORM would set FOUND, which the next statement may read.
  const point = () => ` ASSERT interleave_point('${name}:${++number}');`;
  const tokens = [...body.matchAll(/--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|\w+|\s+|./g)].map(
    ([text]) => text,
  );
  let depth = 0;
  tokens.forEach((token, i) => {
    result += token;
    if (token === '(') depth++;
    if (token === ')') depth--;
    if (depth > 0) return;
    if (/^declare$/i.test(token)) isBody = false;
    const follows = tokens
      .slice(i + 1)
      .join('')
      .replace(/^(\s|--[^\n]*)+/, '');
    if (/^begin$/i.test(token)) {
      isBody = true;
      result += point();
    } else if (isBody && token === ';' && follows !== '' && !noStatement.test(follows)) result += point();
  });
  return result;
}
