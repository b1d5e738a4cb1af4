import { globSync, readFileSync } from 'node:fs';

/** The migration runner's own table, and a duration that is measured. */
const ownClocks = [
  'libs/data-access/src/migrate/create-ledger.sql: now()',
  'libs/queue/src/claim/claim_jobs_v1.sql: clock_timestamp()',
  'libs/queue/src/claim/claim_jobs_v1.sql: clock_timestamp()',
];

it('statements and functions take the time from current_ts, which a test can move', () => {
  const found = globSync('libs/**/*.sql')
    .filter((file) => !file.endsWith('.fixture.sql') && !file.includes('node_modules'))
    .flatMap((file) => {
      const code = readFileSync(file, 'utf8')
        .replace(/--.*$/gm, '')
        .replace(/current_ts\((?:statement|clock)_timestamp\(\)\)/g, '');
      const clocks = code.match(
        /\b(?:now|\w+_timestamp|timeofday)\(\)|\b(?:current|local)_?time(?:stamp)?\b|\bcurrent_date\b/gi,
      );
      return (clocks ?? []).map((clock) => `${file}: ${clock}`);
    });
  expect(found.sort()).toEqual(ownClocks);
});
