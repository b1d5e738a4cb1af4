import type { MessageTypeDefinition } from '@grpc/proto-loader';
import { GrpcCaller, published, struct } from '../grpc-caller.js';
import { publishedRpcs } from '../published-rpcs.js';
import { type Findings, markIn, type Victim } from './findings.js';
import { referenceTo, requireKnown, Twins } from './references.js';

export interface GrpcAttack {
  address: string;
  victim: Victim;
  callers: Readonly<Record<string, string>>;
  dump(): Promise<string>;
}

interface Field {
  name: string;
  label: string;
  type: string;
  typeName: string;
}

/** Calls every unary RPC with ids and names of the victim in each field of its message, and with those of nobody. */
export async function attackGrpc({ address, victim, callers, dump }: GrpcAttack, findings: Findings): Promise<void> {
  const twins = new Twins(victim);
  let before = await dump();
  for (const [caller, key] of Object.entries(callers)) {
    const grpc = new GrpcCaller(address, { 'x-api-key': key, 'x-organization-id': victim.organizationId });
    for (const method of publishedRpcs(({ requestStream, responseStream }) => !requestStream && !responseStream)) {
      findings.count(`gRPC, ${caller}`);
      const message = messageNaming(victim, requestOf(method), method);
      const text = JSON.stringify(message);
      const [own, other] = [
        await grpc.refusal(method, message),
        await grpc.refusal(method, JSON.parse(twins.of(text), restored)),
      ].map((answer) => JSON.stringify(answer));
      const marks = [...victim.marks, ...Object.values(victim.ids).flat()].filter((mark) => !text.includes(mark));
      if (markIn(own!, { marks })) findings.leak(`gRPC: ${method} shows data of the victim`);
      if (twins.normalized(own!) !== twins.normalized(other!))
        findings.leak(`gRPC: ${method} tells apart what exists: ${own} or ${other}`);
      const after = await dump();
      if (after !== before) findings.leak(`gRPC: ${method} changes rows of the victim`);
      before = after;
    }
    grpc.close();
  }
}

/** Buffers survive the way through a text. */
const restored = (_: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && (value as { type?: string }).type === 'Buffer'
    ? Buffer.from((value as { data: number[] }).data)
    : value;

function requestOf(method: string): Field[] {
  const [service, name] = method.split('/') as [string, string];
  const definition = published[`spooled.v1.${service}`] as unknown as Record<
    string,
    { requestType: MessageTypeDefinition<object, object> }
  >;
  return (definition[name]!.requestType.type as { field: Field[] }).field;
}

function messageNaming(victim: Victim, fields: Field[], method: string): object {
  const named = fields.map((field): [string, unknown] => {
    requireKnown(field.name, method);
    const value = referenceTo(field.name, victim) ?? sampleFor(victim, field, method);
    return [field.name, field.label === 'LABEL_REPEATED' ? [value].flat() : value];
  });
  return Object.fromEntries(
    named.filter(([, value]) => value !== undefined && !(Array.isArray(value) && value[0] === undefined)),
  );
}

function sampleFor(victim: Victim, { name, type, typeName }: Field, method: string): unknown {
  if (type === 'TYPE_STRING') return name === 'hostname' ? victim.name : undefined;
  if (type === 'TYPE_BYTES') return Buffer.from('{}');
  if (type !== 'TYPE_MESSAGE') return undefined;
  if (/Struct$/.test(typeName)) return struct({});
  const nested = published[`spooled.v1.${typeName.split('.').at(-1)}`] as
    | MessageTypeDefinition<object, object>
    | undefined;
  return nested && messageNaming(victim, (nested.type as { field: Field[] }).field, method);
}
