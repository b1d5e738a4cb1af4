import { globSync, readFileSync } from 'node:fs';

const tables = globSync('prisma/migrations/*/migration.sql').flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/^((?:--.*\n)*)CREATE (?:UNLOGGED )?TABLE (\w+) \(/gm)].map(
    ([, comment, name]) => ({ name: name!, comment: comment! }),
  ),
);

describe('the migrations', () => {
  it('SP-62 name the writer of each table', () => {
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['jobs', 'job_queue', 'queue_tokens']));
    expect(tables.filter(({ comment }) => !comment.includes('Writer')).map(({ name }) => name)).toEqual([]);
  });
});
