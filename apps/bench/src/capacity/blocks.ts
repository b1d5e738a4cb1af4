import { describeSettings, short } from '../output/table.js';
import type { BenchReport } from '../report.js';
import type { Assumptions } from './assumptions.js';
import { type Costs, costAtLowLoad, operations, type OperationName } from './costs.js';
import { table } from './markdown.js';
import { batches, type Mix, singles, streams } from './mixes.js';
import { type Plan, planFor } from './plan.js';
import { compareWithPublished, percent, planTable, whole } from './plan-tables.js';

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
