import { type Columns, rowLine, widthsOf } from './table.js';

describe('BX-17 a table', () => {
  const columns: Columns<string> = { name: (row) => row, n: () => 1 };
  const lines = (...rows: string[]) => rows.map((row) => rowLine(columns, widthsOf(columns, rows), row));

  it('has straight columns, also with wide characters and marks', () => {
    expect(lines('abcdef', '注文', '📦', 'e\u0301')).toEqual([
      'abcdef  1',
      '注文    1',
      '📦      1',
      'e\u0301       1',
    ]);
  });

  it('cuts long texts by their width, and never within a character', () => {
    expect(lines('注'.repeat(40))).toEqual([`${'注'.repeat(29)}…   1`]);
    expect(lines('a'.repeat(61))).toEqual([`${'a'.repeat(59)}…  1`]);
  });
});
