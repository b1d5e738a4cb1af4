import type { CallOptions } from '../http/http-client.js';
import type { Body, ResponseBody } from '../routes.js';
import { Resource } from './resource.js';

const route = '/api/v1/queues/{name}/payload-contract';
type ContractBody = Omit<Body<`PUT ${typeof route}`>, 'dryRun'>;
export type PayloadContract = ResponseBody<`GET ${typeof route}`>;
export type PayloadContractVersion = ResponseBody<`GET ${typeof route}/versions`>['versions'][number];
export type PayloadContractChange = ResponseBody<`PUT ${typeof route}`>;

/** Payload contracts of queues: a JSON Schema in versions. */
export class PayloadContracts extends Resource {
  /** The current version, or an older one. @throws NotFoundError without a contract */
  get(queue: string, { version, ...options }: CallOptions & { version?: number } = {}): Promise<PayloadContract> {
    const call = { ...options, params: { name: queue }, query: version === undefined ? {} : { version } };
    return this.http.call(`GET ${route}`, call);
  }

  /** The versions that are kept, the newest first, without their schemas; none without a contract. */
  async versions(queue: string, options?: CallOptions): Promise<PayloadContractVersion[]> {
    return (await this.http.call(`GET ${route}/versions`, { ...options, params: { name: queue } })).versions;
  }

  /**
   * Makes a schema the current version; the same once more changes nothing.
   * @throws ConflictError if it refuses payloads that the current version accepts, unless `compatibility` is `none`
   */
  set(queue: string, contract: ContractBody, options?: CallOptions): Promise<PayloadContractChange> {
    return this.http.call(`PUT ${route}`, { ...options, params: { name: queue }, body: contract });
  }

  /** What `set` would change, and which of the newest jobs the schema would refuse. Changes nothing. */
  preview(queue: string, contract: ContractBody, options?: CallOptions): Promise<PayloadContractChange> {
    const body = { ...contract, dryRun: true };
    return this.http.call(`PUT ${route}`, { ...options, params: { name: queue }, body });
  }

  /** Deletes all versions; payloads are no longer checked. @throws NotFoundError without a contract */
  async delete(queue: string, options?: CallOptions): Promise<void> {
    await this.http.call(`DELETE ${route}`, { ...options, params: { name: queue } });
  }
}
