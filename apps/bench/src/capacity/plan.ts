import type { Assumptions } from './assumptions.js';
import { type Costs, type OperationName, type Process, processes, type Service, services } from './costs.js';
import type { Mix } from './mixes.js';

/** Total resources that a load needs. */
export interface Demand {
  /** In the unit of the mix. */
  perSecond: number;
  jobsPerSecond: number;
  /** CPU seconds per second. */
  busyCores: Record<Process, number>;
  /** Megabytes (10^6) per second. */
  walMb: number;
  redisCommands: number;
}

/** The deployment for a load. All values except `cells` are per cell; all cells are equal. */
export interface Plan {
  demand: Demand;
  cells: number;
  pods: Record<Service, number>;
  postgresCores: number;
  redisShards: number;
  /** Connections that all pods of the cell may open to PgBouncer. */
  connections: number;
  pgBouncers: number;
}

/** @param perSecond - in the unit of the mix */
export function planFor(mix: Mix, costs: Costs, perSecond: number, assumed: Assumptions): Plan {
  const demand = demandOf(mix, costs, perSecond);
  const cells = cellsFor(demand, assumed);
  const cores = (name: Process): number => coresFor(demand.busyCores[name] / cells, assumed);
  const pods = byName(services, (name) => Math.max(assumed.minPods, cores(name)));
  const connectionsOf = (name: Service): number =>
    pods[name] * (name === 'scheduler' ? assumed.connectionsPerScheduler : assumed.connectionsPerPod);
  const connections = services.reduce((sum, name) => sum + connectionsOf(name), 0);
  return {
    demand,
    cells,
    pods,
    postgresCores: Math.max(assumed.minPrimaryCores, cores('postgres')),
    redisShards: cores('redis'),
    connections,
    pgBouncers: Math.max(assumed.minPods, Math.ceil(connections / assumed.connectionsPerPgBouncer)),
  };
}

function demandOf({ shares, jobs }: Mix, costs: Costs, perSecond: number): Demand {
  const total = (of: (operation: OperationName) => number): number =>
    (Object.entries(shares) as [OperationName, number][]).reduce(
      (sum, [operation, share]) => sum + perSecond * share * of(operation),
      0,
    );
  return {
    perSecond,
    jobsPerSecond: perSecond * jobs,
    busyCores: byName(processes, (name) => total((operation) => costs[operation].micros[name]) / 1e6),
    walMb: total((operation) => costs[operation].walBytes) / 1e6,
    redisCommands: total((operation) => costs[operation].redisCommands),
  };
}

/** A primary cannot be divided: there are as many cells as are needed to keep each primary within its cores and WAL. */
function cellsFor({ busyCores, walMb }: Demand, { utilization, primaryCores, primaryWalMb }: Assumptions): number {
  return Math.max(1, Math.ceil(busyCores.postgres / (primaryCores * utilization)), Math.ceil(walMb / primaryWalMb));
}

const coresFor = (busy: number, { utilization }: Assumptions): number => Math.max(1, Math.ceil(busy / utilization));

const byName = <Name extends string>(names: readonly Name[], of: (name: Name) => number): Record<Name, number> =>
  Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, number>;
