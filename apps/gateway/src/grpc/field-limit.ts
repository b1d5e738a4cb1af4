import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

/** Protobuf's own readers stop at 100 nested messages, for which the entries of maps do not count. */
const maxDepth = 200;

/** The fields of a message that hold messages, by number. */
type Shape = Map<number, Shape>;

const shapes = new Map<DescMessage, Shape>();

function shapeOf(message: DescMessage): Shape {
  const known = shapes.get(message);
  if (known) return known;
  const shape: Shape = new Map();
  // Before its fields: messages may contain themselves.
  shapes.set(message, shape);
  for (const field of message.fields) {
    const inner = innerShape(field);
    if (inner) shape.set(field.number, inner);
  }
  return shape;
}

/** On the wire each entry of a map is a message whose field 2 is the value. */
function innerShape(field: DescField): Shape | undefined {
  const inner = field.message && shapeOf(field.message);
  if (field.fieldKind !== 'map') return inner;
  return inner ? new Map([[2, inner]]) : new Map();
}

/** Reads the tags of a message and of those inside it, until there are too many. */
class FieldCount {
  private readonly reader: BinaryReader;

  constructor(
    bytes: Uint8Array,
    private left: number,
  ) {
    this.reader = new BinaryReader(bytes);
  }

  /** False when there are too many. @throws Error for bytes that are no message */
  take(shape: Shape, end: number, depth = 0): boolean {
    if (depth > maxDepth) throw new Error('nested too deep');
    const { reader } = this;
    while (reader.pos < end) {
      if (--this.left < 0) return false;
      const [field, wireType] = reader.tag();
      if (wireType === WireType.StartGroup) throw new Error('groups are not supported');
      const inner = wireType === WireType.LengthDelimited && shape.get(field);
      if (!inner) reader.skip(wireType);
      else if (!this.take(inner, reader.uint32() + reader.pos, depth + 1)) return false;
    }
    return true;
  }
}

/**
 * Whether a message of this type and those inside it have more than `limit` fields. Unknown fields count: reading them takes time as
 * well. It throws for bytes that are no message.
 */
export function fieldLimit(message: DescMessage, limit: number): (bytes: Uint8Array) => boolean {
  const shape = shapeOf(message);
  return (bytes) => bytes.length > limit && !new FieldCount(bytes, limit).take(shape, bytes.length);
}
