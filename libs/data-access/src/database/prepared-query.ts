/**
 * A statement of a `.sql` file with the types of its parameters and rows, which `npm run generate:sql` writes beside that file. The
 * text is made once, when the module loads: `$1`, `$2` and so on for the named parameters, and no nullability hints.
 */
export class PreparedQuery<Parameters, Row> {
  /** Only for type inference. */
  declare readonly types: { parameters: Parameters; row: Row };
  readonly text: string;
  private readonly names: string[] = [];

  /**
   * @param source text of the file
   * @param name what stands behind `@name` above the statement
   */
  constructor(source: string, name: string) {
    this.text = statementOf(source, name).replace(tokens, (token, parameter?: string, column?: string) => {
      if (parameter) return `$${this.positionOf(parameter)}`;
      return column ? `"${column}"` : token;
    });
  }

  /** The same statement on other tables; the names of `names` are replaced wherever they begin a name. */
  withNames(names: Record<string, string>): PreparedQuery<Parameters, Row> {
    const text = Object.entries(names).reduce((text, [from, to]) => text.replaceAll(from, to), this.text);
    return Object.assign(Object.create(this) as PreparedQuery<Parameters, Row>, { text });
  }

  /** The parameter values in the order of `$1`, `$2` and so on. @param defaults values of parameters that are not given */
  values(parameters: object | undefined, defaults?: object): unknown[] {
    const given = (defaults ? { ...defaults, ...parameters } : (parameters ?? {})) as Record<string, unknown>;
    return this.names.map((name) => given[name]);
  }

  private positionOf(name: string): number {
    if (!this.names.includes(name)) this.names.push(name);
    return this.names.indexOf(name) + 1;
  }
}

/** The parameters of a call but for those that are `Given`; a nullable one must be passed explicitly. */
export type StatementParameters<Parameters, Given extends string = never> = Parameters extends void
  ? []
  : Exclude<keyof Parameters, Given> extends never
    ? [parameters?: Passed<Parameters, Given>]
    : [parameters: Passed<Parameters, Given>];

type Passed<Parameters, Given extends string> = {
  [Name in Exclude<keyof Parameters, Given>]-?: Exclude<Parameters[Name], void>;
};

/** The parameters that callers pass to a statement in a transaction of one organization. */
export type TenantParameters<Parameters> = Passed<Parameters, 'organizationId'>;

/**
 * Comments, strings and casts, which hold no parameters; then a parameter (`:id`, `:id!`), and a column with a hint of the generator:
 * `AS "total!"` is never null, `AS "error?"` may be.
 */
const tokens = /--.*|\/\*[^]*?\*\/|'(?:[^']|'')*'|::|:([A-Za-z]\w*)!?|"(\w+)[!?]"/g;

function statementOf(source: string, name: string): string {
  const marked = new RegExp(`/\\* @name ${name} \\*/([^]*?)(?:;\\s*)?(?=/\\* @name|$)`).exec(source);
  if (!marked) throw new Error(`No statement is named ${name}`);
  return marked[1]!.trim();
}
