import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { FunctionError } from './migration-error.js';

/** A database function and the file that defines it. */
export interface FunctionFile {
  name: string;
  /** Path of the file, for messages. */
  file: string;
  sql: string;
  /** SHA-256 of the file. */
  checksum: string;
}

/** Files of functions are named in snake case with at least two words; files of statements in kebab case. */
const functionFile = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+\.sql$/;

/**
 * The functions of these folders, each after those that it calls: PostgreSQL validates the body of an SQL function when it is
 * created, and rejects a call of a function that does not exist yet.
 *
 * @throws FunctionError for a file that does not define exactly the function it is named after
 */
export function readFunctions(folders: string[]): FunctionFile[] {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => functionFile.test(basename(path)))
      .map((path) => readFunction(join(folder, path))),
  );
  const byName = new Map<string, FunctionFile>();
  for (const file of files.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const other = byName.get(file.name);
    if (other) throw new FunctionError(file, `is also defined in ${other.file}`);
    byName.set(file.name, file);
  }
  return inOrderOfCalls(byName);
}

function readFunction(path: string): FunctionFile {
  const sql = readFileSync(path, 'utf8');
  const checksum = createHash('sha256').update(sql).digest('hex');
  const file = { name: basename(path, '.sql'), file: path, sql, checksum };
  checkStatements(file);
  return file;
}

/** A file contains one definition and the GRANT and REVOKE of EXECUTE on it. */
function checkStatements(file: FunctionFile): void {
  const [definition = '', ...rest] = statementsOf(file.sql);
  const defined = /^CREATE OR REPLACE FUNCTION (\w+)\(/.exec(definition)?.[1];
  if (defined !== file.name) throw new FunctionError(file, `must begin with CREATE OR REPLACE FUNCTION ${file.name}(`);
  const right = new RegExp(`^(GRANT|REVOKE) EXECUTE ON FUNCTION ${file.name} (TO|FROM) `);
  const other = rest.find((statement) => !right.test(statement));
  if (other) throw new FunctionError(file, `may contain only its function and the right to execute it: ${other}`);
}

/** Statements without comments, bodies and string literals, one per line. */
const statementsOf = (sql: string): string[] =>
  withoutComments(sql)
    .replace(/(\$\w*\$).*?\1|'(?:[^']|'')*'/gs, "''")
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter(Boolean);

const withoutComments = (sql: string): string => sql.replace(/--.*$/gm, '');

function inOrderOfCalls(files: Map<string, FunctionFile>): FunctionFile[] {
  const ordered = new Set<FunctionFile>();
  const visit = (file: FunctionFile, callers: FunctionFile[]): void => {
    if (callers.includes(file)) throw new FunctionError(file, `calls itself through ${callers.at(-1)!.name}`);
    for (const called of callsOf(file, files)) visit(called, [...callers, file]);
    ordered.add(file);
  };
  for (const file of files.values()) visit(file, []);
  return [...ordered];
}

function callsOf(file: FunctionFile, files: Map<string, FunctionFile>): FunctionFile[] {
  const called = new Set(Array.from(withoutComments(file.sql).matchAll(/(\w+)\(/g), ([, name]) => name!));
  called.delete(file.name);
  return [...called].flatMap((name) => files.get(name) ?? []);
}
