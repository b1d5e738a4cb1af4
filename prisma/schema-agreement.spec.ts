import { readFileSync } from 'node:fs';
import { createTestDatabase } from '@spooled/testing';
import pg from 'pg';
import readCatalogue from './read-catalogue.fixture.sql';

const schema = readFileSync('prisma/schema.prisma', 'utf8');

const ofAttribute: Record<string, string> = {
  Uuid: 'uuid',
  'Timestamptz(6)': 'timestamp with time zone',
  SmallInt: 'smallint',
  Json: 'json',
  Date: 'date',
};
const ofType: Record<string, string> = {
  String: 'text',
  Int: 'integer',
  BigInt: 'bigint',
  Boolean: 'boolean',
  Float: 'double precision',
  Json: 'jsonb',
};

const blocks = (kind: 'model' | 'enum') =>
  [...schema.matchAll(new RegExp(`^${kind} (\\w+) \\{\\n(.*?)\\n\\}`, 'gms'))].map(([, name, body]) => ({
    name: name!,
    body: body!,
    mapped: /@@map\("(\w+)"\)/.exec(body!)?.[1] ?? name!,
  }));
const enums = new Map(blocks('enum').map(({ name, mapped }) => [name, mapped]));

/** A field in the format of `read-catalogue.fixture.sql`; null for relations and block attributes. */
function columnOf(table: string, line: string): string | null {
  const [, name, type, suffix, attributes = ''] = /^ {2}(\w+) +(\w+)(\?|\[\])?(.*)$/.exec(line) ?? [];
  if (!name || !type) return null;
  const native = ofAttribute[/@db\.(\w+(?:\(\d\))?)/.exec(attributes)?.[1] ?? ''];
  const column = native ?? enums.get(type) ?? ofType[type];
  if (!column) return null;
  const list = suffix === '[]' ? '[]' : '';
  return `${table}.${name} ${column}${list}${suffix === '?' ? ' null' : ''}${attributes.includes('@default') ? ' default' : ''}`;
}

function indexesOf(table: string, body: string): string[] {
  const named = [...body.matchAll(/@@index\(.*map: "(\w+)"/g)].map(([, name]) => name);
  const fields = [...body.matchAll(/^ {2}(\w+) .*@unique(?:\(map: "(\w+)"\))?/gm)];
  const pairs = [...body.matchAll(/@@unique\(\[([\w, ]+)\]\)/g)];
  return [
    ...named,
    ...fields.map(([, field, name]) => name ?? `${table}_${field}_key`),
    ...pairs.map(([, columns]) => `${table}_${columns!.split(', ').join('_')}_key`),
  ].map((name) => `index ${name}`);
}

const described = () =>
  blocks('model').flatMap(({ body, mapped }) => [
    ...body.split('\n').flatMap((line) => columnOf(mapped, line) ?? []),
    ...indexesOf(mapped, body),
  ]);

describe('prisma/schema.prisma', () => {
  it('SP-62 matches the migrated database: tables, columns, types, nulls, defaults, indexes', async () => {
    const database = await createTestDatabase();
    const client = new pg.Client({ connectionString: database.superuserUrl });
    await client.connect();
    const { rows } = await client.query<{ line: string }>(readCatalogue);
    await client.end();
    await database.drop();
    expect(described().sort()).toEqual(rows.map(({ line }) => line).sort());
  });

  it('names the writer of each table', () => {
    const withoutWriter = blocks('model').filter(
      ({ name }) => !new RegExp(`/// Writer: .*\\nmodel ${name} `).test(schema),
    );
    expect(withoutWriter).toEqual([]);
  });
});
