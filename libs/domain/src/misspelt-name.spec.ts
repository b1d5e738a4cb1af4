import { knownNameLike } from './misspelt-name.js';

describe('a known name that was probably meant', () => {
  const known = ['push', 'retry_strategy', 'retry_delay_ms'];
  it.each([
    ['retry_stategy', 'retry_strategy'],
    ['retry_strategies', null],
    ['retrystrategy', 'retry_strategy'],
    ['retryStrategy', 'retry_strategy'],
    ['retryStategy', 'retry_strategy'],
    ['RetryDelayMs', 'retry_delay_ms'],
    ['retry_delay', null],
    ['pusj', 'push'],
    ['path', null],
    ['', null],
  ])('%s: %s', (name, meant) => {
    expect(knownNameLike(name, known)).toBe(meant);
  });
});
