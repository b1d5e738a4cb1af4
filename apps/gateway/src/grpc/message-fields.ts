import protobuf from 'protobufjs';

/** Protobuf's own readers stop at 100 nested messages, for which the entries of maps do not count. */
const deepest = 200;
const [lengthDelimited, group] = [2, 3];

/** Reads the tags of a message and of those inside of it, for as long as there are not too many. */
class FieldCount {
  private left: number;

  constructor(
    private readonly reader: protobuf.Reader,
    most: number,
  ) {
    this.left = most;
  }

  /** False when there are too many. @throws Error for what is no message */
  take(type: protobuf.Type, end: number, depth = 0): boolean {
    if (depth > deepest) throw new Error('nested too deep');
    const { reader } = this;
    while (reader.pos < end) {
      if (--this.left < 0) return false;
      const tag = reader.uint32();
      const wireType = tag & 7;
      if (wireType === group) throw new Error('groups are not supported');
      const field = type.fieldsById[tag >>> 3]?.resolve();
      if (wireType !== lengthDelimited || !isMessage(field)) reader.skipType(wireType);
      else if (!this.takeField(field, depth)) return false;
    }
    return true;
  }

  private takeField(field: protobuf.Field, depth: number): boolean {
    const end = this.reader.uint32() + this.reader.pos;
    const inner = field.resolvedType instanceof protobuf.Type ? field.resolvedType : null;
    return this.take(field.map ? entryOf(inner) : inner!, end, depth + 1);
  }
}

const isMessage = (field: protobuf.Field | undefined): field is protobuf.Field =>
  field !== undefined && (field.map || field.resolvedType instanceof protobuf.Type);

const entries = new Map<protobuf.Type | null, protobuf.Type>();

/** On the wire each entry of a map is a message. */
function entryOf(value: protobuf.Type | null): protobuf.Type {
  const known = entries.get(value);
  if (known) return known;
  const entry = new protobuf.Type('Entry').add(new protobuf.Field('key', 1, 'string'));
  const field = new protobuf.Field('value', 2, 'string').resolve();
  field.resolvedType = value;
  entry.add(field);
  entries.set(value, entry);
  return entry;
}

/**
 * Whether a message and those inside of it have more than `most` fields. Unknown ones count: reading them takes time as well.
 * @throws Error for what is no message
 */
export const hasMoreFields = (type: protobuf.Type, bytes: Uint8Array, most: number): boolean =>
  bytes.length > most && !new FieldCount(protobuf.Reader.create(bytes), most).take(type, bytes.length);
