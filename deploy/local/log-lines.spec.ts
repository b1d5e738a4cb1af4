import { readableLine } from './log-lines.js';

describe('readableLine', () => {
  it('shows a JSON line with its service, level, message, members and stack', () => {
    const line = JSON.stringify({
      level: 50,
      time: new Date(2026, 0, 2, 12, 1, 2).getTime(),
      service: 'engine',
      pid: 7,
      msg: 'batch failed',
      organization_id: 'o-1',
      jobs: 3,
      err: { message: 'no', stack: 'Error: no\n at here' },
    });
    expect(readableLine('engine', line, false)).toBe(
      '12:01:02 engine     ERROR batch failed organization_id=o-1 jobs=3\n    Error: no\n     at here',
    );
  });

  it('leaves other lines unchanged', () => {
    expect(readableLine('gateway', '{not json', false)).toMatch(/^\d\d:\d\d:\d\d gateway {4}\{not json$/);
  });
});
