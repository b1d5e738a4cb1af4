import { fillPending } from '../fill/fill-jobs.js';
import type { TenantQueue } from '../load/traffic.js';
import type { Scenario } from '../scenario.js';
import { createTenants } from '../stack/tenants.js';
import { measureTraffic, trafficSettings } from './full-tables.js';

const rowsByDefault = 1_000_000;
const tenants = 100;
const queues = 10;

export const pending: Scenario = {
  name: 'pending',
  what: 'steady traffic and whole cycles over 1,000 queues of 100 tenants, on empty tables, then with a million jobs pending',
  onDemand: true,
  settings: (options) => ({
    'pending jobs': options.rows ?? rowsByDefault,
    tenants,
    'queues of each': queues,
    ...trafficSettings(options),
  }),
  async run(bench) {
    const { stack, options, compare } = bench;
    const created = await createTenants(stack, tenants);
    const next = (): TenantQueue => ({
      apiKey: created[Math.floor(Math.random() * tenants)]!.apiKey,
      queue: `pending-${Math.floor(Math.random() * queues)}`,
    });
    const empty = await measureTraffic(bench, 'empty', next);
    const organizations = created.map(({ organizationId }) => organizationId);
    await fillPending(bench, { rows: options.rows ?? rowsByDefault, organizations, queues });
    const full = await measureTraffic(bench, 'full', next);
    for (const [i, step] of empty.entries()) compare(step, full[i]!);
  },
};
