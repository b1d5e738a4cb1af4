import { fillFinished } from '../fill/fill-jobs.js';
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
    const { stack, options, compare } = bench;
    const empty = await measureTraffic(bench, 'empty', 'bench-steady');
    const others = await createTenants(stack, otherTenants);
    const organizations = [stack.organizationId, ...others.map(({ organizationId }) => organizationId)];
    await fillFinished(bench, { rows: options.rows ?? rowsByDefault, organizations, days });
    const full = await measureTraffic(bench, 'full', 'bench-steady');
    for (const [i, step] of empty.entries()) compare(step, full[i]!);
  },
};
