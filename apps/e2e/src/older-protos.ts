import { readFileSync } from 'node:fs';
import { fromJSON, type Options, type PackageDefinition } from '@grpc/proto-loader';
import protobuf from 'protobufjs';

const options: Options = { keepCase: true, longs: String, enums: String, defaults: true, oneofs: true };

/** Our proto files, with their text changed, as a client would load them. */
function changed(change: (text: string) => string): PackageDefinition {
  const root = new protobuf.Root();
  for (const name of ['struct', 'timestamp'])
    root.addJSON(protobuf.common.get(`google/protobuf/${name}.proto`)!.nested!);
  for (const name of ['job', 'queue', 'worker']) {
    const text = readFileSync(`libs/contracts/proto/spooled/v1/${name}.proto`, 'utf8');
    protobuf.parse(change(text), root, { keepCase: true });
  }
  return fromJSON(root.toJSON(), options);
}

/** What published SDKs up to Python 1.1.0, Go 1.0.9 and Node 1.0.40 were built from: no presence, no worker ids, no prefetch. */
const toVersion11 = (text: string): string =>
  text.replace(/^ *(optional string worker_id = 7|int32 prefetch = 100);.*$/gm, '').replace(/^( *)optional /gm, '$1');

/** The proto files of published SDKs up to Python 1.1.0. */
export const version11 = changed(toVersion11);

/** The oldest published proto files, from before `lease_id`. */
export const withoutLeaseIds = changed((text) => toVersion11(text).replace(/^ *string lease_id = .*$/gm, ''));
