import { type CurrentContract, type Database, listCurrentContracts } from '@spooled/data-access';
import type { Clock } from '@spooled/domain';
import { OrganizationCache, type SettingChanges } from '../auth/organization-cache.js';

export type ContractsByQueue = ReadonlyMap<string, CurrentContract>;

/**
 * Which queues of an organization have a payload contract. Cached by organization, because nearly all have none: their jobs then cost a
 * lookup in a map, whatever the names of their queues.
 */
export class CurrentContracts extends OrganizationCache<ContractsByQueue> {
  constructor(database: Database, changes: SettingChanges | null, clock?: Clock) {
    super(database, changes, listCurrentContracts, clock);
  }
}
