import { Controller, Get, Inject, Query } from '@nestjs/common';
import { adminSchemas as schemas } from '@spooled/contracts';
import { Database, listProcesses, listTopTenants, measureCapacity, type ProcessRow } from '@spooled/data-access';
import { HealthChecks } from '@spooled/platform';
import { IsolationChecks, REDIS } from '@spooled/service';
import type { RedisShards } from '@spooled/transport';
import { Admin } from '../auth/access.decorators.js';
import { ApiTags, ResponseSchema, validated } from '../http/routes.js';

type Limit = schemas.Capacity['limits'][number];

/** Three reports may be missing. */
const aliveSeconds = 45;
/** PostgreSQL stops assigning transaction ids about 3 million before they would wrap around. */
const maxTransactionIds = 2 ** 31 - 3_000_000;

/** Services, load by tenant and capacity of the installation (BX-25). */
@ApiTags('admin')
@Admin()
@Controller('admin')
export class PlatformController {
  constructor(
    private readonly database: Database,
    private readonly health: HealthChecks,
    @Inject(REDIS) private readonly redis: RedisShards | null,
    private readonly isolation: IsolationChecks,
  ) {}

  /** The services with their processes; those of which none was seen are listed as well. */
  @Get('services')
  @ResponseSchema(schemas.serviceList)
  async services(@Query(validated(schemas.listServicesQuery)) _: object): Promise<schemas.ServiceList> {
    const [rows, { checks }, latest] = await Promise.all([
      this.database.asSystem('list processes', (tx) => tx.run(listProcesses, { aliveSeconds })),
      this.health.report(),
      this.isolation.latest(),
    ]);
    const byService = Map.groupBy(rows, ({ service }) => service);
    const names = new Set<string>([...schemas.serviceNames, ...byService.keys()]);
    return {
      services: [...names].map((service) => serviceOf(service, byService.get(service) ?? [])),
      dependencies: { database: checks.database ?? true, redis: checks.cache ?? null },
      latest_isolation_check: latest?.result ?? null,
    };
  }

  @Get('tenants/top')
  @ResponseSchema(schemas.topTenants)
  async topTenants(
    @Query(validated(schemas.topTenantsQuery)) { by = 'created', minutes = 5, limit = 20 }: schemas.TopTenantsQuery,
  ): Promise<schemas.TopTenants> {
    const rows = await this.database.asSystem('list top tenants', (tx) =>
      tx.run(listTopTenants, { by, minutes, limit }),
    );
    return {
      by,
      minutes,
      tenants: rows.map(({ created, completed, failed, seconds, ...row }) => {
        const rate = (jobs: number) => rounded(jobs / Math.max(1, seconds));
        return {
          ...row,
          created_per_second: rate(created),
          completed_per_second: rate(completed),
          failed_per_second: rate(failed),
        };
      }),
    };
  }

  /** What is used of the limits that the installation can know; costs per job are in docs/capacity.md. */
  @Get('capacity')
  @ResponseSchema(schemas.capacity)
  async capacity(@Query(validated(schemas.capacityQuery)) _: object): Promise<schemas.Capacity> {
    const [row, redis] = await Promise.all([
      this.database.asSystem('measure capacity', (tx) => tx.one(measureCapacity)),
      this.redisMemory(),
    ]);
    const rate = (jobs: number) => (row.seconds === 0 ? null : rounded(jobs / row.seconds));
    return {
      limits: [
        limitOf('postgresql_connections', row.connections, row.max_connections, 'connections'),
        limitOf('postgresql_transaction_ids', row.transaction_ids, maxTransactionIds, 'transactions'),
        limitOf('postgresql_database_size', row.database_bytes, null, 'bytes'),
        ...redis.limits,
      ],
      jobs: {
        created_per_second: rate(row.created),
        completed_per_second: rate(row.completed),
        seconds: row.seconds,
      },
      not_checked: redis.notChecked,
      checked_at: row.checked_at,
    };
  }

  private async redisMemory(): Promise<{ limits: Limit[]; notChecked: string[] }> {
    const limits: Limit[] = [];
    const notChecked: string[] = [];
    for (const shard of this.redis?.all ?? []) {
      const text = shard.connected ? await shard.commands.info('memory').catch(() => null) : null;
      if (text === null) notChecked.push(`The memory of Redis ${shard.name}, because it does not respond`);
      else
        limits.push(
          limitOf(
            `redis_memory_${shard.name}`,
            fieldOf(text, 'used_memory'),
            fieldOf(text, 'maxmemory') || null,
            'bytes',
          ),
        );
    }
    return { limits, notChecked };
  }
}

function serviceOf(service: string, rows: ProcessRow[]): schemas.ServiceList['services'][number] {
  const alive = rows.filter(({ is_alive }) => is_alive);
  return {
    service,
    alive: alive.length,
    versions: [...new Set(alive.map(({ version }) => version))].sort(),
    processes: rows.map(({ id, host, version, started_at, seen_at, is_alive }) => ({
      id,
      host,
      version,
      started_at,
      last_seen: seen_at,
      is_alive,
    })),
  };
}

const limitOf = (name: string, used: number, limit: number | null, unit: Limit['unit']): Limit => ({
  name,
  used,
  limit,
  share: limit === null ? null : rounded(used / limit),
  unit,
});

/** A number of the text that INFO sends. */
const fieldOf = (text: string, field: string): number =>
  Number(new RegExp(String.raw`^${field}:(\d+)\r?$`, 'm').exec(text)?.[1] ?? 0);

/** To three decimals. */
const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;
