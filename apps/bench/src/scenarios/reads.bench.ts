import { fillFinished } from '../fill/fill-jobs.js';
import { closedLoop } from '../load/closed-loop.js';
import type { BenchRun, Scenario } from '../scenario.js';

const jobs = 20_000;
const days = { youngest: 1, oldest: 42 };
const connectionsByDefault = [16];
/** Ids in one request for statuses. */
const idsAtOnce = 50;

/** Path of the request with number `n`. */
type Path = (ids: string[], n: number) => string;

const paths: Record<string, Path> = {
  job: (ids, n) => `/api/v1/jobs/${ids[n % ids.length]}`,
  'statuses of one': (ids, n) => `/api/v1/jobs/status?ids=${ids[n % ids.length]}`,
  [`statuses of ${idsAtOnce}`]: (ids, n) => {
    const from = (n * idsAtOnce) % (ids.length - idsAtOnce);
    return `/api/v1/jobs/status?ids=${ids.slice(from, from + idsAtOnce).join(',')}`;
  },
  history: (ids, n) => `/api/v1/jobs/${ids[n % ids.length]}/history`,
  timeline: (ids, n) => `/api/v1/jobs/${ids[n % ids.length]}/timeline`,
  dependencies: (ids, n) => `/api/v1/jobs/${ids[n % ids.length]}/dependencies`,
  'list of 100': (_, n) => `/api/v1/jobs?limit=100&offset=${n % 100}`,
};

export const reads: Scenario = {
  name: 'reads',
  what: 'reads of finished jobs of six weeks by id, and a list; an operation is a request',
  settings: ({ payloadBytes }) => ({ 'payload bytes': payloadBytes, jobs, 'days back': days.oldest }),
  async run(bench) {
    const { stack, options, measure } = bench;
    await fillFinished({ ...bench, say: () => undefined }, { rows: jobs, organizations: [stack.organizationId], days });
    const ids = await someIds(bench);
    for (const connections of options.connections.length ? options.connections : connectionsByDefault) {
      for (const [name, path] of Object.entries(paths)) {
        let sent = 0;
        await measure({ name, settings: { connections } }, (window) =>
          closedLoop(stack, window, connections, (connection) => connection.get(path(ids, sent++))),
        );
      }
    }
  },
};

/** Ids of jobs of all weeks, in random order. */
async function someIds({ stack }: BenchRun): Promise<string[]> {
  const { rows } = await stack.superuser.query<{ id: string }>('SELECT id FROM jobs ORDER BY random() LIMIT 5000');
  return rows.map(({ id }) => id);
}
