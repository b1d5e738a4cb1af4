import { PreparedQuery } from './prepared-query.js';

const source = `-- Of this file.
/* @name findJob */
-- :queue null = all of them; it's a comment
SELECT id::text, state AS "state!", error AS "error?", '::no :param ''x'' ' AS text
FROM jobs /* :none */ WHERE id = :id! AND (:queue::text IS NULL OR queue = :queue) AND at < :until::timestamptz;

/* @name countJobs */
SELECT count(*) AS "total!" FROM jobs WHERE queue = :queue!`;

describe('a statement of a .sql file', () => {
  const findJob = new PreparedQuery<{ until: string; id: string; queue: string | null }, never>(source, 'findJob');

  it('has numbers for parameters, also where one occurs twice, and no hints', () => {
    expect(findJob.text).toBe(`-- :queue null = all of them; it's a comment
SELECT id::text, state AS "state", error AS "error", '::no :param ''x'' ' AS text
FROM jobs /* :none */ WHERE id = $1 AND ($2::text IS NULL OR queue = $2) AND at < $3::timestamptz`);
  });

  it('takes its parameters by name', () => {
    expect(findJob.values({ until: 'now', id: 'a', queue: null })).toEqual(['a', null, 'now']);
  });

  it('takes those that are not given from its transaction', () => {
    expect(findJob.values({ until: 'now', queue: null }, { id: 'a', queue: 'other' })).toEqual(['a', null, 'now']);
  });

  it('is found by its name in a file with several', () => {
    expect(new PreparedQuery(source, 'countJobs').text).toBe('SELECT count(*) AS "total" FROM jobs WHERE queue = $1');
    expect(() => new PreparedQuery(source, 'count')).toThrow('No statement is named count');
  });

  it('can name other tables', () => {
    const ofWeek = findJob.withNames({ jobs: 'jobs_week' });
    expect(ofWeek.text).toContain('FROM jobs_week ');
    expect(ofWeek.values({ until: 'now', id: 'a', queue: 'q' })).toEqual(['a', 'q', 'now']);
  });
});
