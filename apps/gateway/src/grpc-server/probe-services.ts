import { toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import type { Server } from '@grpc/grpc-js';
import { loadSync, type PackageDefinition } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import { HealthImplementation, protoPath as healthProtoPath } from 'grpc-health-check';
import { protoFiles, serviceNames } from '../grpc/service-definitions.js';

/** grpc.health.v1 for load balancers (SP-44), without credentials. `setHealth` changes what it answers. */
export function addHealth(server: Server): HealthImplementation {
  const health = new HealthImplementation();
  setHealth(health, 'SERVING');
  health.addToServer(server);
  return health;
}

export function setHealth(health: HealthImplementation, status: 'SERVING' | 'NOT_SERVING'): void {
  for (const name of ['', ...serviceNames]) health.setStatus(name, status);
}

/** Server reflection for grpcurl and Postman (SP-45), v1 and v1alpha, without credentials. */
export function addReflection(server: Server): void {
  const fileDescriptorProtos = protoFiles.file.map((file) => Buffer.from(toBinary(FileDescriptorProtoSchema, file)));
  // Reflection reads only the file descriptors of a definition.
  const own: PackageDefinition = {
    'spooled.v1': { format: 'Protocol Buffer 3 EnumDescriptorProto', type: {}, fileDescriptorProtos },
  };
  new ReflectionService({ ...loadSync(healthProtoPath), ...own }).addToServer(server);
}
