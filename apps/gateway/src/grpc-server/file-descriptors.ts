import descriptor, { type IFileDescriptorProto } from 'protobufjs/ext/descriptor/index.js';
import { contract } from '../grpc/service-definitions.js';

/**
 * The contract as compiled files, for reflection. protobufjs writes one file per package and leaves out which file needs which;
 * grpcurl links by that, and expects Google's types in the files where everybody has them.
 */
export function fileDescriptors(): Buffer[] {
  const [google, spooled] = ['google.protobuf', 'spooled.v1'].map(compiledPackage);
  const isTimestamp = ({ name }: { name?: string | null }) => name === 'Timestamp';
  const struct = 'google/protobuf/struct.proto';
  const timestamp = 'google/protobuf/timestamp.proto';
  const messages = google!.messageType ?? [];
  return [
    { ...google, name: struct, messageType: messages.filter((message) => !isTimestamp(message)) },
    { ...google, name: timestamp, messageType: messages.filter(isTimestamp), enumType: [] },
    { ...spooled, name: 'spooled/v1/spooled.proto', dependency: [struct, timestamp] },
  ].map((file) => Buffer.from(descriptor.FileDescriptorProto.encode(file).finish()));
}

function compiledPackage(name: string): IFileDescriptorProto {
  const files = Object.values(contract).flatMap((definition) =>
    'fileDescriptorProtos' in definition ? (definition.fileDescriptorProtos as Buffer[]) : [],
  );
  for (const bytes of files) {
    const file = descriptor.FileDescriptorProto.decode(bytes) as unknown as IFileDescriptorProto & { package?: string };
    if (file.package === name) return descriptor.FileDescriptorProto.toObject(file as never) as IFileDescriptorProto;
  }
  throw new Error(`the gRPC contract has no package ${name}`);
}
