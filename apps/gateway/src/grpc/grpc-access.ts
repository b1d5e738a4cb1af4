import { rpcPermissions } from '@spooled/contracts';
import type { Permission } from '@spooled/domain';
import { batchService, queueService, serviceNames, workerService } from './service-definitions.js';

const services = [queueService, workerService, batchService];

const permissions: ReadonlyMap<string, Permission> = new Map(
  services.flatMap((service, i) => {
    const ofService: Record<string, Permission> = rpcPermissions[serviceNames[i]!];
    return Object.entries(service).map(([method, { path }]) => [path, ofService[method]!] as const);
  }),
);

/** What an RPC requires of the role of its key, by its path; undefined for those that need no key: health and reflection. */
export const permissionOf = (path: string): Permission | undefined => permissions.get(path);

/** Whether an RPC changes nothing. */
export const onlyReads = (path: string): boolean => permissions.get(path)?.startsWith('read') ?? false;
