/** Where the generated code says that a parameter stands in its statement: both ends are part of the name. */
interface Place {
  a: number;
  b: number;
}

/** What PgTyped writes into `*.queries.ts` for one statement of a `.sql` file. */
export interface StatementSource {
  statement: string;
  usedParamSet: Record<string, boolean>;
  params: { name: string; transform: { type: string }; locs: Place[] }[];
}

/**
 * A statement of a `.sql` file with the types of its parameters and rows. Generated code imports this class as `PreparedQuery`
 * of `@pgtyped/runtime`, which tsconfig.base.json maps to this file: the package would assemble the text again for each call, copy
 * each row, and load a parser into every service.
 */
export class PreparedQuery<Parameters, Row> {
  /** Only for the compiler. */
  declare readonly types: { parameters: Parameters; row: Row };
  /** The statement as PostgreSQL reads it. */
  readonly text: string;
  private readonly names: string[];

  constructor(source: StatementSource) {
    const used = source.params.filter(({ name }) => source.usedParamSet[name]);
    const spread = used.find(({ transform }) => transform.type !== 'scalar');
    if (spread)
      throw new Error(`Parameter ${spread.name} would change the text of the statement; pass an array instead`);
    this.names = used.map(({ name }) => name);
    this.text = withoutHints(
      numbered(
        source.statement,
        used.map(({ locs }) => locs),
      ),
    );
  }

  /** The parameters in the order of `$1`, `$2` and so on. */
  values(...[parameters]: Given<Parameters>): unknown[] {
    const given: Record<string, unknown> = parameters ?? {};
    return this.names.map((name) => given[name]);
  }
}

/** The arguments of a call: one that may be null is named all the same, so that none is forgotten. */
export type Given<Parameters> = Parameters extends void
  ? []
  : [parameters: { [Name in keyof Parameters]-?: Exclude<Parameters[Name], void> }];

function numbered(statement: string, places: Place[][]): string {
  const marks = places.flatMap((own, index) => own.map(({ a, b }) => ({ a, b, mark: `$${index + 1}` })));
  let text = statement;
  // From the end, so that the places before stay where they are.
  for (const { a, b, mark } of marks.sort((one, other) => other.a - one.a))
    text = text.slice(0, a) + mark + text.slice(b + 1);
  return text;
}

/** `AS "total!"` and `AS "error?"` tell the generator that a column is never, or may be, null; rows have the plain name. */
const withoutHints = (text: string): string => text.replace(/"(\w+)[!?]"/g, '"$1"');
