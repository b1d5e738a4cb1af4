import { evaluate, type SchemaNode, type Evaluated } from './node.js';
import type { Place, Run } from './run.js';
import type { Keyword, SchemaAt } from './schema-at.js';

function schemasOf(name: string, value: unknown, schema: SchemaAt): SchemaNode[] {
  if (!Array.isArray(value) || value.length === 0) throw schema.refuse(name, 'must be a list of at least one schema');
  return value.map((each, i) => schema.subInPlace(each, name, i));
}

const allOf: Keyword = (value, schema) => {
  const nodes = schemasOf('allOf', value, schema);
  return (instance, place, run, evaluated) => {
    let valid = true;
    for (const node of nodes) {
      valid = evaluate(node, instance, place, run, evaluated) && valid;
      if (!valid && run.isDecided) return false;
    }
    return valid;
  };
};

/** How many of the schemas accept a value; stops at `enough`. */
function accepting(
  nodes: SchemaNode[],
  enough: number,
  instance: unknown,
  place: Place | null,
  run: Run,
  evaluated: Evaluated | null,
): number {
  let count = 0;
  for (const node of nodes) {
    if (run.quietly(() => evaluate(node, instance, place, run, evaluated)) && ++count >= enough) break;
  }
  return count;
}

const anyOf: Keyword = (value, schema) => {
  const nodes = schemasOf('anyOf', value, schema);
  return (instance, place, run, evaluated) =>
    // All of them if somebody asks what they evaluate.
    accepting(nodes, evaluated ? Infinity : 1, instance, place, run, evaluated) > 0 ||
    run.fail(place, `must match at least one of ${nodes.length} schemas`);
};

const oneOf: Keyword = (value, schema) => {
  const nodes = schemasOf('oneOf', value, schema);
  return (instance, place, run, evaluated) => {
    const count = accepting(nodes, 2, instance, place, run, evaluated);
    return (
      count === 1 ||
      run.fail(place, `must match exactly one of ${nodes.length} schemas, not ${count === 0 ? 'none' : 'several'}`)
    );
  };
};

const not: Keyword = (value, schema) => {
  const node = schema.subInPlace(value, 'not');
  return (instance, place, run) =>
    !run.quietly(() => evaluate(node, instance, place, run)) || run.fail(place, 'must not match the schema of "not"');
};

/** `then` and `else` without `if` mean nothing, but are read. */
const condition: Keyword = (value, schema) => {
  const node = schema.subInPlace(value, 'if');
  const { then: whenTrue = true, else: whenFalse = true } = schema.schema;
  const [thenNode, elseNode] = [schema.subInPlace(whenTrue, 'then'), schema.subInPlace(whenFalse, 'else')];
  return (instance, place, run, evaluated) => {
    const holds = run.quietly(() => evaluate(node, instance, place, run, evaluated));
    return evaluate(holds ? thenNode : elseNode, instance, place, run, evaluated);
  };
};

const reference: Keyword = (value, schema) => {
  const node = schema.reference(value);
  return (instance, place, run, evaluated) => evaluate(node, instance, place, run, evaluated);
};

/** Keywords that apply other schemas to the same value. */
export const logicKeywords: Record<string, Keyword> = {
  $ref: reference,
  allOf,
  anyOf,
  oneOf,
  not,
  if: condition,
  // Read with `if`.
  then: (value, schema) => (schema.schema.if === undefined && schema.subInPlace(value, 'then'), null),
  else: (value, schema) => (schema.schema.if === undefined && schema.subInPlace(value, 'else'), null),
};
