import { integer, setting } from '@spooled/platform';

export const consoleLimitSettings = {
  RATE_LIMIT_CONSOLE_PER_SECOND: setting(
    integer({ min: 1 }).default(20),
    'Requests per second of one session of the console, in bursts of five times as many. They are counted apart from those of API keys; all sessions of an organization together have the rate of its plan once more.',
  ),
};
