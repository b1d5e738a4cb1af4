import { BinaryReader, BinaryWriter } from '@bufbuild/protobuf/wire';

/** A JSON object. */
type Document = { [name: string]: unknown };

/** Many readers of protobuf stop at 100 nested messages, of which each level of a document takes two. */
export const maxDocumentDepth = 50;

/**
 * `google.protobuf.Struct` between the wire and plain JSON values. The generated messages use it in place of ts-proto's own codec,
 * which builds three objects for each member, drops members named `__proto__`, and reads 33 levels only.
 */
export const Struct = {
  wrap: (document: Document): Document => document,
  unwrap: (document: Document): Document => document,

  encode(document: Document, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const name of Object.keys(document)) {
      writer.uint32(tag.member).fork().uint32(tag.name).string(name).uint32(tag.memberValue).fork();
      writeValue(writer, document[name]);
      writer.join().join();
    }
    return writer;
  },

  /** @throws Error for bytes that are no message, and for documents with more than `maxDocumentDepth` levels */
  decode(input: BinaryReader | Uint8Array, length?: number): Document {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    return readObject(reader, length ?? reader.len - reader.pos, 1);
  },
};

/** Field numbers and wire types of `Struct`, its map entries, `Value` and `ListValue`. */
const tag = {
  member: 10,
  name: 10,
  memberValue: 18,
  null: 8,
  number: 17,
  string: 26,
  boolean: 32,
  object: 42,
  list: 50,
  element: 10,
} as const;

function writeValue(writer: BinaryWriter, value: unknown): void {
  switch (typeof value) {
    case 'string':
      return void writer.uint32(tag.string).string(value);
    case 'number':
      return void writer.uint32(tag.number).double(value);
    case 'boolean':
      return void writer.uint32(tag.boolean).bool(value);
  }
  if (value === null || typeof value !== 'object') return void writer.uint32(tag.null).int32(0);
  if (Array.isArray(value)) return writeList(writer, value);
  Struct.encode(value as Document, writer.uint32(tag.object).fork()).join();
}

function writeList(writer: BinaryWriter, values: readonly unknown[]): void {
  writer.uint32(tag.list).fork();
  for (const value of values) {
    writer.uint32(tag.element).fork();
    writeValue(writer, value);
    writer.join();
  }
  writer.join();
}

function readObject(reader: BinaryReader, length: number, depth: number): Document {
  const end = endOf(reader, length, depth);
  const document: Document = {};
  while (reader.pos < end) {
    const next = reader.uint32();
    if (next === tag.member) readMember(reader, reader.uint32(), depth, document);
    else reader.skip(next & 7);
  }
  return document;
}

function readMember(reader: BinaryReader, length: number, depth: number, document: Document): void {
  const end = reader.pos + length;
  let name = '';
  let value: unknown = null;
  while (reader.pos < end) {
    const next = reader.uint32();
    if (next === tag.name) name = reader.string();
    else if (next === tag.memberValue) value = readValue(reader, reader.uint32(), depth);
    else reader.skip(next & 7);
  }
  if (name !== '__proto__') document[name] = value;
  else Object.defineProperty(document, name, { value, enumerable: true, configurable: true, writable: true });
}

function readValue(reader: BinaryReader, length: number, depth: number): unknown {
  const end = reader.pos + length;
  let value: unknown = null;
  while (reader.pos < end) value = readKind(reader, reader.uint32(), depth, value);
  return value;
}

/** One field of a `Value`; an unknown one leaves it as it is. */
function readKind(reader: BinaryReader, next: number, depth: number, value: unknown): unknown {
  switch (next) {
    case tag.string:
      return reader.string();
    case tag.number:
      return reader.double();
    case tag.boolean:
      return reader.bool();
    case tag.object:
      return readObject(reader, reader.uint32(), depth + 1);
    case tag.list:
      return readList(reader, reader.uint32(), depth + 1);
  }
  reader.skip(next & 7);
  return next === tag.null ? null : value;
}

function readList(reader: BinaryReader, length: number, depth: number): unknown[] {
  const end = endOf(reader, length, depth);
  const values: unknown[] = [];
  while (reader.pos < end) {
    const next = reader.uint32();
    if (next === tag.element) values.push(readValue(reader, reader.uint32(), depth));
    else reader.skip(next & 7);
  }
  return values;
}

function endOf(reader: BinaryReader, length: number, depth: number): number {
  if (depth > maxDocumentDepth) throw new Error('document nested too deep');
  return reader.pos + length;
}
