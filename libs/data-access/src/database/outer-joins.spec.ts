import { globSync, readFileSync } from 'node:fs';

interface Column {
  name: string;
  hint: '!' | '?' | '';
}

/** Columns that a statement selects as they are from a table behind LEFT, RIGHT or FULL JOIN. */
function outerColumns(sql: string): Column[] {
  const joins = [
    ...sql.matchAll(
      // Parentheses in three levels.
      /\b(LEFT|RIGHT|FULL)(?: OUTER)? JOIN (?:LATERAL )?(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\w+)(?: AS)?(?: (?!ON\b|USING\b)(\w+))?/g,
    ),
  ];
  // With RIGHT and FULL JOIN, rows of the tables before it may be missing too: every table counts.
  const all = joins.some(([, kind]) => kind !== 'LEFT');
  const aliases = all ? '\\w+' : joins.map(([, , table, alias]) => alias ?? table).join('|');
  if (joins.length === 0) return [];
  const items = new RegExp(
    `(?<=SELECT\\s|,\\s)\\s*(?:${aliases})\\.(\\w+)(?: AS "?(\\w+)([!?]?)"?)?(?=,|\\s+FROM\\b)`,
    'g',
  );
  return [...sql.matchAll(items)].map(([, column, alias, hint]) => ({
    name: alias ?? column!,
    hint: hint as Column['hint'],
  }));
}

/** Statements of a file by name. */
const statementsOf = (file: string): Map<string, string> =>
  new Map(
    readFileSync(file, 'utf8')
      .split('/* @name ')
      .slice(1)
      .map((part) => [part.slice(0, part.indexOf(' ')), part.replace(/--.*$/gm, '')]),
  );

const rowType = (file: string, statement: string): string => {
  const types = readFileSync(file.replace(/\.sql$/, '.queries.ts'), 'utf8');
  const name = statement[0]!.toUpperCase() + statement.slice(1);
  return new RegExp(`export interface ${name}Result \\{([^}]*)\\}`).exec(types)?.[1] ?? '';
};

const statements = globSync('libs/**/*.sql')
  .flatMap((file) => [...statementsOf(file)].map(([name, sql]) => ({ file, name, columns: outerColumns(sql) })))
  .filter(({ columns }) => columns.length > 0);

// PostgreSQL reports a NOT NULL column as not null even behind an outer join, so the generator cannot tell.
describe('columns behind an outer join', () => {
  it.each(statements)(
    'may be null in the row type of $name, or are marked as never null',
    ({ file, name, columns }) => {
      const type = rowType(file, name);
      const wrong = columns.filter(
        // Others are used within the statement only.
        ({ name: column, hint }) => hint === '' && new RegExp(`\\b${column}: (?!.*\\| null;)`).test(type),
      );
      expect(wrong.map((column) => column.name)).toEqual([]);
    },
  );
});
