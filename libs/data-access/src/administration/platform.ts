import type { Database } from '../database/database.js';
import {
  endProcess as endProcessSql,
  listProcesses as listProcessesSql,
  type ListProcessesResult,
  listTopTenants as listTopTenantsSql,
  type ListTopTenantsResult,
  measureCapacity as measureCapacitySql,
  type MeasureCapacityResult,
  reportProcess as reportProcessSql,
} from './service-processes.queries.js';

export type { ListProcessesResult as ProcessRow };

/** A process of a service. */
export interface ServiceProcess {
  id: string;
  service: string;
  version: string;
  host: string;
}

/** Says that a process runs. @throws SpooledError 503 */
export async function reportProcess(db: Database, process: ServiceProcess): Promise<void> {
  await db.asSystem('report a process', (tx) => tx.run(reportProcessSql, process));
}

/** Says that a process stops. @throws SpooledError 503 */
export async function endProcess(db: Database, id: string): Promise<void> {
  await db.asSystem('end a process', (tx) => tx.run(endProcessSql, { id }));
}

/** The processes of all services, at most 1,000. `aliveSeconds` after its last report a process counts as gone. */
export const listProcesses = (db: Database, aliveSeconds: number): Promise<ListProcessesResult[]> =>
  db.asSystem('list processes', (tx) => tx.run(listProcessesSql, { aliveSeconds }));

/** The organizations with the most jobs of a kind in the last minutes. */
export const listTopTenants = (
  db: Database,
  filter: { by: 'created' | 'completed' | 'failed' | 'depth'; minutes: number; limit: number },
): Promise<ListTopTenantsResult[]> => db.asSystem('list top tenants', (tx) => tx.run(listTopTenantsSql, filter));

/** Used and available capacity of PostgreSQL, and the jobs of the last ten minutes. */
export async function measureCapacity(db: Database): Promise<MeasureCapacityResult> {
  const [row] = await db.asSystem('measure capacity', (tx) => tx.run(measureCapacitySql));
  return row!;
}
