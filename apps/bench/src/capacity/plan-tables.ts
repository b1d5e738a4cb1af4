import { short } from '../output/table.js';
import { services } from './costs.js';
import { table } from './markdown.js';
import type { Mix } from './mixes.js';
import type { Plan } from './plan.js';

export const whole = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 0 });

export const percent = (share: number): string => `${whole(share * 100)} %`;

/** The requirements of each plan, one column per rate. */
export function planTable({ unit }: Mix, plans: Plan[]): string {
  const row = (name: string, of: (plan: Plan) => string): string[] => [name, ...plans.map(of)];
  const jobs = row('jobs per second', ({ demand }) => whole(demand.jobsPerSecond));
  return table([
    row(`${unit} per second`, ({ demand }) => whole(demand.perSecond)),
    ...(unit === 'jobs' ? [] : [jobs]),
    ...services.map((name) => row(`${name}: busy cores`, ({ demand }) => short(demand.busyCores[name]))),
    row('PostgreSQL: busy cores', ({ demand }) => short(demand.busyCores.postgres)),
    row('PostgreSQL: WAL, MB per second', ({ demand }) => short(demand.walMb)),
    row('Redis: busy cores', ({ demand }) => short(demand.busyCores.redis)),
    row('Redis: commands per second', ({ demand }) => whole(demand.redisCommands)),
    row('**cells**', ({ cells }) => whole(cells)),
    ...services.map((name) => row(`**${name} pods**`, (plan) => perCell(plan, plan.pods[name]))),
    row('**PostgreSQL**', postgresOf),
    row('**Redis**', redisOf),
    row('connections to PgBouncer', (plan) => perCell(plan, plan.connections)),
    row('**PgBouncers**', (plan) => perCell(plan, plan.pgBouncers)),
  ]);
}

/** The values of the published capacity table (SP-92 to SP-95) for each rate. */
const published = [
  { pods: '2', postgres: 'one primary', redis: 'one node', pgBouncers: '1' },
  { pods: '10', postgres: 'primary and 2 read replicas', redis: 'Sentinel', pgBouncers: '2' },
  { pods: '50', postgres: 'cluster', redis: 'Cluster', pgBouncers: '4' },
];

/** @param plans - in the order of the published rates */
export function compareWithPublished(plans: Plan[]): string {
  const row = (name: string, of: (plan: Plan, i: number) => string): string[] => [name, ...plans.map(of)];
  const backends = (plan: Plan): string => `${plan.pods.gateway * plan.cells} + ${plan.pods.engine * plan.cells}`;
  return table([
    row('requests per second', ({ demand }) => whole(demand.perSecond)),
    row('backend pods (SP-92)', (_, i) => published[i]!.pods),
    row('gateways + engines', backends),
    row('PostgreSQL (SP-93)', (_, i) => published[i]!.postgres),
    row('this plan', postgresOf),
    row('Redis (SP-94)', (_, i) => published[i]!.redis),
    row('this plan', redisOf),
    row('PgBouncers (SP-95)', (_, i) => published[i]!.pgBouncers),
    row('this plan', (plan) => perCell(plan, plan.pgBouncers)),
  ]);
}

const times = ({ cells }: Plan): string => (cells === 1 ? '' : `${whole(cells)} × `);

const perCell = (plan: Plan, count: number): string => `${times(plan)}${whole(count)}`;

const postgresOf = (plan: Plan): string => `${times(plan)}one primary of ${whole(plan.postgresCores)} cores`;

const redisOf = (plan: Plan): string =>
  `${times(plan)}${plan.redisShards === 1 ? 'one node' : `${whole(plan.redisShards)} shards`}`;
