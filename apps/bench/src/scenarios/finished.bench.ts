import { fillFinished } from '../fill/fill-jobs.js';
import { compareSteps } from '../output/compare.js';
import type { Scenario } from '../scenario.js';
import { createTenants } from '../stack/tenants.js';
import { measureTraffic, trafficSettings } from './full-tables.js';

const rowsByDefault = 10_000_000;
const otherTenants = 9;
const days = { youngest: 0, oldest: 42 };

export const finished: Scenario = {
  name: 'finished',
  what: 'steady traffic and whole cycles on empty tables, then with millions of finished jobs',
  onDemand: true,
  settings: (options) => ({
    'finished jobs': options.rows ?? rowsByDefault,
    organizations: otherTenants + 1,
    'days back': days.oldest,
    ...trafficSettings(options),
  }),
  async run(bench) {
    const { stack, options, say } = bench;
    const queue = { apiKey: stack.apiKey, queue: 'bench-steady' };
    const empty = await measureTraffic(bench, 'empty', () => queue);
    const others = await createTenants(stack, otherTenants);
    const organizations = [stack.organizationId, ...others.map(({ organizationId }) => organizationId)];
    await fillFinished(bench, { rows: options.rows ?? rowsByDefault, organizations, days });
    const full = await measureTraffic(bench, 'full', () => queue);
    for (const [i, step] of empty.entries()) for (const line of compareSteps(step, full[i]!)) say(line);
  },
};
