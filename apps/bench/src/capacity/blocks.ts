import { describeSettings, short } from '../output/table.js';
import type { BenchReport } from '../report.js';
import type { Assumptions } from './assumptions.js';
import { costAtLowLoad, type Costs, type OperationName, operations, services } from './costs.js';
import { table } from './markdown.js';
import { batches, type Mix, singles, streams } from './mixes.js';
import { type Plan, planFor } from './plan.js';

/** The generated texts of docs/capacity.md, by marker name. */
export function blocksFrom(reports: BenchReport[], costs: Costs, assumed: Assumptions): Record<string, string> {
  const plansOf = (mix: Mix): Plan[] => mix.rates.map((rate) => planFor(mix, costs, rate, assumed));
  return {
    source: sourceOf(reports),
    costs: costTable(costs),
    quiet: lowLoadExample(costs, costAtLowLoad(reports, 'enqueue').micros.gateway, assumed),
    assumptions: assumptionsText(assumed),
    example: workedExample(costs, assumed),
    singles: planTable(singles, plansOf(singles)),
    batches: planTable(batches, plansOf(batches)),
    streams: planTable(streams, plansOf(streams)),
    published: compareWithPublished(plansOf(singles)),
  };
}

function sourceOf(reports: BenchReport[]): string {
  const priced = reports.filter(({ scenarios }) => scenarios.length > 0);
  const { machine, stack } = priced[0]!;
  const runs = priced.map(({ startedAt, commit, options, scenarios }) => {
    const names = scenarios.map(({ name }) => name).join(', ');
    return `- ${startedAt.slice(0, 16).replace('T', ' ')} UTC, commit ${commit}: ${names}; windows of ${options.seconds} s, payloads of ${options['payload bytes']} bytes`;
  });
  const where = `- ${machine.cores} × ${machine.cpu}, ${machine.os}, Node ${machine.node}; load average before the run ${machine.loadAverage.map(short).join(' ')}`;
  return [...runs, where, `- ${describeSettings(stack)}`].join('\n');
}

function costTable(costs: Costs): string {
  const head = ['CPU µs', 'gateway', 'engine', 'other services', 'PostgreSQL', 'Redis', 'WAL bytes', 'Redis commands'];
  const rows = Object.entries(costs).map(([name, { micros, walBytes, redisCommands, step, perSecond }]) => {
    const others = micros.scheduler + micros.webhooks + micros.realtime;
    const values = [micros.gateway, micros.engine, others, micros.postgres, micros.redis, walBytes, redisCommands];
    return [operations[name as OperationName].what, ...values.map(short), `${step}: ${whole(perSecond)}/s`];
  });
  return table([[...head, 'measured at'], ...rows]);
}

function lowLoadExample(costs: Costs, quiet: number, { minPods }: Assumptions): string {
  const rate = singles.rates[0]!;
  const each = (rate * singles.shares.enqueue!) / minPods;
  return [
    `A single POST takes ${short(quiet)} µs of the gateway's CPU on an idle system, and ${short(costs.enqueue.micros.gateway)} at the rate above.`,
    `At ${whole(rate)} requests per second, ${whole(each)} POSTs per second for each of ${minPods} gateways, even the higher cost is only ${short((each * quiet) / 1e6)} of a core.`,
  ].join(' ');
}

function assumptionsText(assumed: Assumptions): string {
  return [
    `- The permitted utilization is ${percent(assumed.utilization)}. A pod of a service is one core (a Node process uses no more), and there are at least ${assumed.minPods} of each.`,
    `- One PostgreSQL primary: ${assumed.minPrimaryCores} to ${assumed.primaryCores} cores and ${assumed.primaryWalMb} MB of WAL per second, whichever is reached first. A larger load is divided into cells.`,
    `- One Redis uses one core; a larger load is divided by \`REDIS_SHARDS\`.`,
    `- A pod opens up to ${assumed.connectionsPerPod} connections to PgBouncer, one of the scheduler ${assumed.connectionsPerScheduler}; a PgBouncer accepts ${whole(assumed.connectionsPerPgBouncer)}, and all of them share ${assumed.connectionsToPostgres} to PostgreSQL.`,
  ].join('\n');
}

function workedExample(costs: Costs, assumed: Assumptions): string {
  const rate = singles.rates[1]!;
  const parts = (Object.entries(singles.shares) as [OperationName, number][]).map(
    ([name, share]) => `${whole(rate * share)} × ${short(costs[name].micros.gateway)}`,
  );
  const { demand, pods, cells } = planFor(singles, costs, rate, assumed);
  const busy = demand.busyCores.gateway;
  return [
    `Gateways for ${whole(rate)} requests per second: ${parts.join(' + ')} = ${whole(busy * 1e6)} µs of CPU per second = ${short(busy)} busy cores.`,
    `${short(busy)} ÷ ${assumed.utilization} = ${short(busy / assumed.utilization)}, so ${pods.gateway * cells} pods.`,
  ].join('\n');
}

const whole = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 0 });

const percent = (share: number): string => `${whole(share * 100)} %`;

/** The requirements of each plan, one column per rate. */
function planTable({ unit }: Mix, plans: Plan[]): string {
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
function compareWithPublished(plans: Plan[]): string {
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
