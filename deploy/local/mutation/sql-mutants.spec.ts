interface Mutant {
  rule: string;
  start: number;
  end: number;
  text: string;
}
interface Rules {
  mutantsOf(source: string): Mutant[];
  applyMutant(source: string, mutant: Mutant): string;
  describeMutant(source: string, mutant: Mutant): { line: number; column: number; rule: string };
}

let rules: Rules;
beforeAll(async () => {
  const path: string = './sql-mutants.mjs';
  rules = (await import(path)) as Rules;
});

const statement = (text: string) => `/* @name one */\n${text}`;
/** The statements that the rule makes of one, without the name above it. */
const changed = (rule: string, text: string) => {
  const source = statement(text);
  return rules
    .mutantsOf(source)
    .filter((mutant) => mutant.rule === rule)
    .map((mutant) => rules.applyMutant(source, mutant).slice(statement('').length));
};

describe('mutants of SQL', () => {
  it.each([
    ['SELECT 1 WHERE a < b', ['SELECT 1 WHERE a <= b']],
    ['SELECT a >= b', ['SELECT a > b']],
    ['SELECT a = b', ['SELECT a <> b']],
    // What notices that the term is missing notices its contrary.
    ['SELECT 1 WHERE a = b', []],
    ['SELECT a = ANY (b)', []],
    ['UPDATE t SET a = b, c = (d = e)', ['UPDATE t SET a = b, c = (d <> e)']],
    ["RAISE EXCEPTION USING ERRCODE = 'SPQ01', MESSAGE = 'x'", []],
    ["SELECT a ->> 'x', b <> c, d::text", ["SELECT a ->> 'x', b = c, d::text"]],
  ])('change comparisons, not assignments: %s', (text, expected) =>
    expect(changed('comparison', text)).toEqual(expected),
  );

  it.each([
    ['SELECT 1 WHERE a AND b = c', ['SELECT 1 WHERE TRUE AND b = c', 'SELECT 1 WHERE a AND TRUE']],
    ['SELECT 1 FROM t WHERE a = b ORDER BY c', ['SELECT 1 FROM t WHERE TRUE ORDER BY c']],
    ['SELECT 1 WHERE a OR b', ['SELECT 1 WHERE FALSE OR b', 'SELECT 1 WHERE a OR FALSE']],
    [
      'SELECT 1 WHERE a AND (b OR c)',
      [
        'SELECT 1 WHERE TRUE AND (b OR c)',
        'SELECT 1 WHERE a AND TRUE',
        'SELECT 1 WHERE a AND (FALSE OR c)',
        'SELECT 1 WHERE a AND (b OR FALSE)',
      ],
    ],
    [
      'SELECT 1 WHERE a BETWEEN 1 AND 2 AND b',
      ['SELECT 1 WHERE TRUE AND b', 'SELECT 1 WHERE a BETWEEN 1 AND 2 AND TRUE'],
    ],
    [
      'SELECT 1 WHERE a IS DISTINCT FROM b AND c',
      ['SELECT 1 WHERE TRUE AND c', 'SELECT 1 WHERE a IS DISTINCT FROM b AND TRUE'],
    ],
    ['SELECT CASE WHEN a > b THEN c END', ['SELECT CASE WHEN FALSE THEN c END', 'SELECT CASE WHEN TRUE THEN c END']],
    ["SELECT CASE a WHEN 'x' THEN b END", []],
    [
      "SELECT 1 WHERE filter ->> 'a' IS NULL OR left(b, 1) = c",
      ['SELECT 1 WHERE FALSE OR left(b, 1) = c', "SELECT 1 WHERE filter ->> 'a' IS NULL OR FALSE"],
    ],
    ['SELECT count(*) FILTER (WHERE a = b)', ['SELECT count(*) FILTER (WHERE TRUE)']],
    ['INSERT INTO t SELECT a ON CONFLICT (a) DO NOTHING', []],
  ])('take away terms of conditions: %s', (text, expected) =>
    expect(changed('term', text).sort()).toEqual(expected.sort()),
  );

  it.each([
    ['SELECT 1 ORDER BY a', ['SELECT 1 ORDER BY a DESC']],
    [
      'SELECT 1 ORDER BY a DESC, b LIMIT 5',
      [
        'SELECT 1 ORDER BY a ASC, b LIMIT 5',
        'SELECT 1 ORDER BY a DESC LIMIT 5',
        'SELECT 1 ORDER BY a DESC, b DESC LIMIT 5',
        'SELECT 1 ORDER BY b LIMIT 5',
      ],
    ],
    ['SELECT array_agg(a ORDER BY b NULLS LAST)', ['SELECT array_agg(a ORDER BY b DESC NULLS LAST)']],
  ])('reverse and take away keys of an order: %s', (text, expected) =>
    expect(changed('order', text).sort()).toEqual(expected.sort()),
  );

  it.each([
    ['SELECT 1 LIMIT 5', ['SELECT 1 LIMIT 4', 'SELECT 1 LIMIT 6']],
    ['SELECT 1 LIMIT 1000', ['SELECT 1 LIMIT 2000']],
    ['SELECT 1 LIMIT :most!', ['SELECT 1 LIMIT -1 + :most!', 'SELECT 1 LIMIT 1 + :most!']],
    ['SELECT 1 LIMIT a - b', ['SELECT 1 LIMIT -1 + a - b', 'SELECT 1 LIMIT 1 + a - b']],
  ])('move limits: %s', (text, expected) => expect(changed('limit', text)).toEqual(expected));

  it.each([
    ['constant', 'SELECT 3, 500, true', ['SELECT 4, 500, true', 'SELECT 3, 1000, true', 'SELECT 3, 500, FALSE']],
    ['constant', "SELECT interval '7 days'", ["SELECT interval '8 days'"]],
    ['constant', "SELECT '7 days', a1, hashtextextended(a, 0)", []],
    [
      'operator',
      'SELECT a + b, -c, count(*), t.*, d * (e)',
      ['SELECT a - b, -c, count(*), t.*, d * (e)', 'SELECT a + b, -c, count(*), t.*, d / (e)'],
    ],
    ['operator', "SELECT a - 'member'", []],
    [
      'function',
      'SELECT least(a, b), coalesce(c, d)',
      ['SELECT greatest(a, b), coalesce(c, d)', 'SELECT least(a, b), coalesce(d, c)'],
    ],
    ['list', "SELECT 1 WHERE a IN ('x', 'y')", ["SELECT 1 WHERE a IN ('x')", "SELECT 1 WHERE a IN ('y')"]],
    ['negation', 'SELECT a IS NULL, NOT b', ['SELECT a IS NOT NULL, NOT b', 'SELECT a IS NULL,  b']],
    ['negation', 'SELECT NOT EXISTS (SELECT)', ['SELECT EXISTS (SELECT)']],
    ['lock', 'SELECT 1 FOR UPDATE SKIP LOCKED', ['SELECT 1 FOR UPDATE ']],
  ])('change a %s: %s', (rule, text, expected) => expect(changed(rule, text).sort()).toEqual(expected.sort()));

  it('are made of the body of a function, not of its head, comments and strings', () => {
    const source = [
      '-- a < b',
      'CREATE OR REPLACE FUNCTION one_v1(a integer DEFAULT 1) RETURNS boolean',
      '  LANGUAGE sql SET enable_seqscan = off',
      'AS $$',
      "  SELECT a < 'b < c'::integer -- a < b",
      '$$;',
      'REVOKE EXECUTE ON FUNCTION one_v1 FROM PUBLIC;',
    ].join('\n');
    const mutants = rules.mutantsOf(source);
    expect(mutants.map((mutant) => rules.describeMutant(source, mutant))).toEqual([
      { line: 5, column: 12, rule: 'comparison', from: '<', to: '<=' },
    ]);
  });

  it('are the same in every run, in the order of the text', () => {
    const source = statement('SELECT a + 1 FROM t WHERE b < c AND d IS NULL ORDER BY e DESC, f LIMIT 3');
    const mutants = rules.mutantsOf(source);
    expect(rules.mutantsOf(source)).toEqual(mutants);
    const positions = mutants.map(({ start }) => start);
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
    expect(new Set(mutants.map((mutant) => rules.applyMutant(source, mutant))).size).toBe(mutants.length);
  });
});
