import { checkedText, integer, setting } from '@spooled/platform';

/** @throws Error when the text is not an http address with a place for the id */
function checkTraceUrl(text: string): void {
  if (!text.includes('{trace_id}')) throw new Error('must contain {trace_id}');
  if (!/^https?:$/.test(new URL(text).protocol)) throw new Error('must begin with http:// or https://');
}

export const gatewayConsoleSettings = {
  RATE_LIMIT_CONSOLE_PER_SECOND: setting(
    integer({ min: 1 }).default(20),
    'Requests per second of one session of the console, in bursts of five times as many. They are counted apart from those of API keys; all sessions of an organization together have the rate of its plan once more.',
  ),
  CONSOLE_TRACE_URL: setting(
    checkedText('URL', checkTraceUrl).optional(),
    'Address of one trace in the viewer of traces, with `{trace_id}` in place of its id, such as `https://traces.example.com/trace/{trace_id}`. The console links jobs to it.',
  ),
  CONSOLE_REFRESH_MS: setting(
    integer({ min: 300, max: 300_000 }).default(300_000),
    'Longest time in milliseconds between two reads of a view of the console. Views that the console reads more often, each 1 to 60 s, keep their own time. A shorter time costs requests: a screen has up to ten views and one more for each row of a table in sight.',
  ),
};
