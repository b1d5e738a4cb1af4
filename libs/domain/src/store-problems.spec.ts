import { postgresProblem, problemSentence, redisProblem, StartError } from './store-problems.js';

const failure = (message: string, code?: string): Error => Object.assign(new Error(message), { code });

describe('the explanation of a PostgreSQL that cannot be used', () => {
  const at = { setting: 'DATABASE_URL', url: 'postgres://someone:hidden@db.example:5432/jobs' };

  it.each([
    ['ECONNREFUSED', 'connect', /^PostgreSQL does not answer at db\.example:5432 \(connection refused\): start it/],
    ['ENOTFOUND', 'getaddrinfo', /^The host "db\.example" of DATABASE_URL is unknown: correct its name/],
    [undefined, 'timeout expired', /\(no answer in time\): start it/],
    [undefined, 'self-signed certificate', /^There is no encrypted connection .*: correct sslmode in DATABASE_URL/],
    [undefined, 'unexpected reply', /is not a PostgreSQL server .*: correct host and port of DATABASE_URL/],
    ['28P01', 'password', /refuses the password of role "someone": correct the user or the password in DATABASE_URL/],
    ['28000', 'no pg_hba.conf entry', /refuses the login of role "someone" \(no pg_hba.*\): correct DATABASE_URL/],
    ['08P01', 'SASL authentication failed', /refuses the login of role "someone"/],
    [
      '08P01',
      'unsupported startup parameter: options',
      /^The role "\w+" of \w+ cannot become .*: log in as the role itself/,
    ],
    ['08P01', 'server_login_retry', /^PgBouncer at \S+ reaches no PostgreSQL server .*: start the server behind it/],
    ['3D000', 'no database', /^There is no database "jobs" at \S+: create it/],
    ['53300', 'too many clients', /has no free connection: raise max_connections/],
    ['53100', 'No space left on device', /^The disk of PostgreSQL .* is full .*: free space/],
    ['57P03', 'starting up', /is starting or stopping: wait/],
    ['22023', 'role "spooled_app" does not exist', /^A role of the services is missing .*: run the migration/],
    [
      '42501',
      'permission denied to set role',
      /^The role "someone" of DATABASE_URL lacks a right .*: run the migration/,
    ],
  ])('has the remedy, and no password: %s %s', (code, message, expected) => {
    const sentence = problemSentence(postgresProblem(failure(message, code), at));
    expect(sentence).toMatch(expected);
    expect(sentence).not.toContain('hidden');
  });

  it('uses the code of the first address of a name with several', () => {
    const error = Object.assign(new AggregateError([failure('connect', 'ECONNREFUSED')]), { message: '' });
    expect(postgresProblem(error, at).finding).toContain('connection refused');
  });

  it.each(['localhost:5432', 'redis://localhost', 'db'])('says when %s is not its URL', (url) => {
    const { message } = new StartError(postgresProblem(failure('connect'), { ...at, url }));
    expect(message).toMatch(/^DATABASE_URL is not the URL of a PostgreSQL server: write postgres:/);
  });
});

it.each([
  ['ECONNREFUSED', 'connect', /^Redis does not answer at r:6379 \(connection refused\): start it, or correct/],
  ['EAI_AGAIN', 'getaddrinfo', /^The host "r" of REDIS_URL is unknown: correct its name/],
  [undefined, 'WRONGPASS invalid username-password pair', /refuses the login: correct the user or the password/],
  [undefined, 'Protocol error', /is not a Redis server \(Protocol error.*: correct host and port of REDIS_URL/],
])('a Redis that cannot be used is explained with the remedy: %s %s', (code, message, expected) => {
  const at = { setting: 'REDIS_URL', url: 'redis://:hidden@r:6379/0' };
  const sentence = problemSentence(redisProblem(failure(message, code), at));
  expect(sentence).toMatch(expected);
  expect(sentence).not.toContain('hidden');
});
