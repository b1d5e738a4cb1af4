import type { Server } from '@grpc/grpc-js';
import { loadSync, type PackageDefinition } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import { HealthImplementation, protoPath as healthProtoPath } from 'grpc-health-check';
import { fileDescriptors } from './file-descriptors.js';
import { serviceNames } from '../grpc/service-definitions.js';

/** grpc.health.v1 for load balancers (SP-44); asks for no credential. `setHealth` tells all who ask or watch. */
export function addHealth(server: Server): HealthImplementation {
  const health = new HealthImplementation();
  setHealth(health, 'SERVING');
  health.addToServer(server);
  return health;
}

export function setHealth(health: HealthImplementation, status: 'SERVING' | 'NOT_SERVING'): void {
  for (const name of ['', ...serviceNames]) health.setStatus(name, status);
}

/** Server reflection for grpcurl and Postman (SP-45), v1 and v1alpha; asks for no credential. */
export function addReflection(server: Server): void {
  // All that reflection reads of a definition.
  const own = { 'spooled.v1': { fileDescriptorProtos: fileDescriptors() } } as unknown as PackageDefinition;
  new ReflectionService({ ...loadSync(healthProtoPath), ...own }).addToServer(server);
}
