import { type Database, findContractSchema, type TenantTransaction } from '@spooled/data-access';
import { readPayloadSchema, readQuickSchema } from '@spooled/domain';
import { LRUCache } from 'lru-cache';
import type { ReadySchema } from './request-checks.js';

/** Characters of the texts of all schemas that are ready. Ready they take some ten times as much memory. */
const maxKept = 4_194_304;

/** Schemas of contracts, by the id of their version: a version never changes. Only those that are read quickly are read in this thread. */
export class ContractSchemas {
  private readonly ready = new LRUCache<string, ReadySchema>({ maxSize: maxKept });
  private readonly loads = new Map<string, Promise<ReadySchema | null>>();

  /** @param hasThread whether other schemas are read in another thread */
  constructor(
    private readonly database: Database,
    private readonly hasThread: boolean,
  ) {}

  /** Null: the version has been deleted. @throws SchemaProblem for a schema that an earlier release accepted and this one does not */
  async find(organizationId: string, id: string, tx?: TenantTransaction): Promise<ReadySchema | null> {
    const ready = this.ready.get(id);
    if (ready) return ready;
    const running = this.loads.get(id);
    if (running) return running;
    const load = this.load(organizationId, id, tx).finally(() => this.loads.delete(id));
    this.loads.set(id, load);
    return load;
  }

  private async load(organizationId: string, id: string, tx?: TenantTransaction): Promise<ReadySchema | null> {
    const find = async (reader: TenantTransaction) => (await reader.first(findContractSchema, { id }))?.schema ?? null;
    const text = await (tx ? find(tx) : this.database.withTenant(organizationId, find));
    if (text === null) return null;
    const schema = this.hasThread ? readQuickSchema(text) : readPayloadSchema(JSON.parse(text));
    const ready = { schema, text };
    this.ready.set(id, ready, { size: text.length });
    return ready;
  }
}
