import { type Database, findContractSchema, type TenantTransaction } from '@spooled/data-access';
import { type PayloadSchema, readPayloadSchema } from '@spooled/domain';
import { LRUCache } from 'lru-cache';

/** Characters of the texts of all schemas that are ready. Ready they take some ten times as much memory. */
const maxKept = 4_194_304;

/** Schemas that are ready to check payloads, by the id of their version: a version never changes. */
export class ContractSchemas {
  private readonly ready = new LRUCache<string, PayloadSchema>({ maxSize: maxKept });
  private readonly loads = new Map<string, Promise<PayloadSchema | null>>();

  constructor(private readonly database: Database) {}

  /**
   * Null: the version has been deleted.
   * @throws SchemaProblem for a schema that an earlier release accepted and this one does not
   */
  async find(organizationId: string, id: string, tx?: TenantTransaction): Promise<PayloadSchema | null> {
    const ready = this.ready.get(id);
    if (ready) return ready;
    const running = this.loads.get(id);
    if (running) return running;
    const load = this.load(organizationId, id, tx).finally(() => this.loads.delete(id));
    this.loads.set(id, load);
    return load;
  }

  private async load(organizationId: string, id: string, tx?: TenantTransaction): Promise<PayloadSchema | null> {
    const find = (reader: TenantTransaction) => findContractSchema(reader, id);
    const text = await (tx ? find(tx) : this.database.withTenant(organizationId, find));
    if (text === null) return null;
    const schema = readPayloadSchema(JSON.parse(text));
    this.ready.set(id, schema, { size: text.length });
    return schema;
  }
}
