import { attemptsOf } from './attempts';

const job = (status: string, attempt: number) =>
  ({ status, attempt, maxRetries: 3 }) as Parameters<typeof attemptsOf>[0];

it.each([
  ['pending', 0, 0],
  ['processing', 0, 1],
  ['completed', 0, 1],
  ['completed', 2, 3],
  ['pending', 2, 2],
  ['deadletter', 0, 1],
  ['deadletter', 3, 4],
  ['cancelled', 0, 0],
])('a job that is %s after %d retries has had %d attempts', (status, retries, attempts) => {
  expect(attemptsOf(job(status, retries))).toBe(attempts);
});
