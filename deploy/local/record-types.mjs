import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const records = /json_to_recordset\(((?:[^()]|\([^()]*\))*)\)\s+AS\s+\w+\s*\(([^()]*)\)/g;
const types = {
  uuid: 'string',
  text: 'string',
  timestamptz: 'string',
  integer: 'number',
  smallint: 'number',
  bigint: 'number',
  'double precision': 'number',
  boolean: 'boolean',
  json: 'unknown',
  jsonb: 'unknown',
};

/**
 * Adds to the `*.queries.ts` below `folder` what the statements and functions of libs/queue read from JSON with json_to_recordset: an
 * interface for each list of records, so that the code that writes the JSON can be checked (`satisfies`).
 * @throws Error for a column type without a TypeScript type
 */
export function writeRecordTypes(folder) {
  for (const source of globSync('libs/queue/src/**/*.sql')) {
    const found = recordsOf(source);
    if (found.length === 0) continue;
    const file = join(folder, source.replace(/\.sql$/, '.queries.ts'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, found.join('\n'), { flag: 'a' });
  }
}

/** One interface for each JSON value that the file reads, with the columns of all places that read it. */
function recordsOf(source) {
  const columns = new Map();
  for (const [, value, list] of readFileSync(source, 'utf8').matchAll(records)) {
    const name = /(\w+)\W*(?:::\s*json)?\s*$/.exec(value)[1];
    const known = columns.get(name) ?? new Map();
    columns.set(name, known);
    for (const column of list.split(',')) {
      const [, member, type] = /^\s*"?(\w+)"?\s+(.+?)\s*$/.exec(column);
      known.set(member, typeOf(type, source));
    }
  }
  const owner = pascal(basename(source, '.sql'));
  return [...columns].map(([name, members]) => {
    const lines = [...members].map(
      ([member, type]) => `  ${member}: ${type === 'unknown' ? type : `${type} | null | undefined`};`,
    );
    const interfaceName = `${owner}${columns.size === 1 ? '' : pascal(name)}Record`;
    return [
      `/** A record of \`${name}\`, as ${basename(source)} reads it. */`,
      `export interface ${interfaceName} {`,
      ...lines,
      '}',
      '',
    ].join('\n');
  });
}

function typeOf(type, source) {
  const element = type.replace(/\[\]$/, '');
  if (!types[element]) throw new Error(`${source}: no TypeScript type for ${type}`);
  return element === type ? types[element] : `${types[element]}[]`;
}

const pascal = (name) => name.replaceAll(/(?:^|[_-])(\w)/g, (_, letter) => letter.toUpperCase());
