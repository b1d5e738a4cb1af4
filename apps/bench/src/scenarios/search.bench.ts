import { fillMixed, mixedSettings } from '../fill/fill-jobs.js';
import { closedLoop, withConnections } from '../load/closed-loop.js';
import { quietJobs, quietPerSecond, quietRow } from '../load/quiet-jobs.js';
import type { Window } from '../measure/window.js';
import type { BenchRun, Scenario } from '../scenario.js';
import type { BenchStack } from '../stack/bench-stack.js';

const secondsOfEach = 2;
const searchers = 8;
const windowFactor = 3;

/** Searches that an index answers: frequent, rare and without a match. */
const indexed: string[] = [
  'queue:mixed-1',
  'queue:rare-queue',
  'queue:none',
  'type:type-1',
  'type:rare.type',
  'status:pending',
  'status:deadletter',
  'status:scheduled,cancelled',
  'key:order-4711',
  'tag:env',
  'tag:rare-tag',
  'created:>21d',
  'rare',
  'queue:mixed-1 status:cancelled created:<7d',
];
/** Searches that compare as many jobs as one request may, and find none. */
const compared: string[] = [
  'payload.order=4711',
  'error~"timed out"',
  'worker:none',
  'tag:env=none',
  'tag:env payload.order=4711',
];

export const search: Scenario = {
  name: 'search',
  what: 'GET /api/v1/jobs with search lines over millions of jobs, and a quiet tenant beside the most expensive of them',
  onDemand: true,
  settings: (options) => ({
    ...mixedSettings(options),
    'callers that search beside the quiet tenant': searchers,
    'quiet jobs a second': quietPerSecond,
  }),
  async run(bench) {
    const { stack, options, measure, compare } = bench;
    const quiet = await fillMixed(bench);
    for (const lines of [indexed, compared]) {
      for (const line of lines) await searchAlone(bench, line, [line]);
    }
    await searchAlone(bench, 'indexed', indexed, options.seconds * windowFactor);
    await searchAlone(bench, 'compared', compared, options.seconds * windowFactor);

    const beside = (name: string, lines: string[]) =>
      measure({ name, seconds: options.seconds * windowFactor, operationsIn: quietRow }, async (window) => {
        await Promise.all([quietJobs(window, quiet, options.payloadBytes), searchBeside(window, stack, lines)]);
      });
    const alone = await beside('quiet alone', []);
    for (const [name, lines] of Object.entries({ indexed, compared })) {
      compare(alone, await beside(`quiet beside ${name}`, lines));
    }
  },
};

const pathOf = (line: string): string => `/api/v1/jobs?${new URLSearchParams({ search: line }).toString()}`;

/** One caller, one search after the other. */
async function searchAlone(
  { stack, measure }: BenchRun,
  name: string,
  lines: string[],
  seconds = secondsOfEach,
): Promise<void> {
  const paths = lines.map(pathOf);
  let sent = 0;
  await measure({ name, seconds }, (window) =>
    closedLoop(stack, window, 1, (connection) => connection.get(paths[sent++ % paths.length]!)),
  );
}

/** Callers of the large organization. A refusal is what they may get, so it is counted by its status. */
async function searchBeside(window: Window, { baseUrl, apiKey }: BenchStack, lines: string[]): Promise<void> {
  const paths = lines.map(pathOf);
  if (paths.length === 0) return;
  let sent = 0;
  await withConnections(baseUrl, apiKey, searchers, async (connection) => {
    while (!window.over) {
      const startedAt = performance.now();
      const response = await connection.get(paths[sent++ % paths.length]!).catch((error: Error) => error);
      if (response instanceof Error) window.fail(response.message, 'search');
      else window.count(startedAt, 1, response.status < 400 ? 'search' : `search: ${response.status}`);
    }
  });
}
