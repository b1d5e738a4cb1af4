/** Position of a parameter in the statement, from the first to the last character inclusive. */
interface ParameterLocation {
  a: number;
  b: number;
}

/** What PgTyped writes into `*.queries.ts` for one statement of a `.sql` file. */
export interface StatementSource {
  statement: string;
  usedParamSet: Record<string, boolean>;
  params: { name: string; transform: { type: string }; locs: ParameterLocation[] }[];
}

/**
 * A statement of a `.sql` file with the types of its parameters and rows. Generated code imports this class as `PreparedQuery`
 * of `@pgtyped/runtime`, which tsconfig.base.json maps to this file: the package would rebuild the text for each call, copy each
 * row, and load a parser into every service.
 */
export class PreparedQuery<Parameters, Row> {
  /** Only for type inference. */
  declare readonly types: { parameters: Parameters; row: Row };
  /** The statement with `$1`, `$2` and so on as parameters. */
  readonly text: string;
  private readonly names: string[];

  constructor(source: StatementSource) {
    const used = source.params.filter(({ name }) => source.usedParamSet[name]);
    const spread = used.find(({ transform }) => transform.type !== 'scalar');
    if (spread)
      throw new Error(`Parameter ${spread.name} would change the text of the statement; use an array instead`);
    this.names = used.map(({ name }) => name);
    this.text = withoutHints(
      numbered(
        source.statement,
        used.map(({ locs }) => locs),
      ),
    );
  }

  /** The same statement on other tables; the names of `names` are replaced wherever they begin a name. */
  withNames(names: Record<string, string>): PreparedQuery<Parameters, Row> {
    const text = Object.entries(names).reduce((text, [from, to]) => text.replaceAll(from, to), this.text);
    return Object.assign(Object.create(this) as PreparedQuery<Parameters, Row>, { text });
  }

  /** The parameter values in the order of `$1`, `$2` and so on. */
  values(...[parameters]: StatementParameters<Parameters>): unknown[] {
    const given: Record<string, unknown> = parameters ?? {};
    return this.names.map((name) => given[name]);
  }
}

/** The parameters of a call; a nullable one must be passed explicitly. */
export type StatementParameters<Parameters> = Parameters extends void
  ? []
  : [parameters: { [Name in keyof Parameters]-?: Exclude<Parameters[Name], void> }];

function numbered(statement: string, places: ParameterLocation[][]): string {
  const marks = places.flatMap((own, index) => own.map(({ a, b }) => ({ a, b, mark: `$${index + 1}` })));
  let text = statement;
  // From the end, so that earlier positions stay valid.
  for (const { a, b, mark } of marks.sort((one, other) => other.a - one.a))
    text = text.slice(0, a) + mark + text.slice(b + 1);
  return text;
}

/** Removes the nullability hints of the generator: `AS "total!"` (never null) and `AS "error?"` (nullable) become the plain name. */
const withoutHints = (text: string): string => text.replace(/"(\w+)[!?]"/g, '"$1"');
