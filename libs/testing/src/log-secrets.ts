/** Shorter ones are ordinary words, such as the passwords of test databases. */
const shortestSecret = 12;

/**
 * Credentials by their form: API keys and webhook tokens, access tokens, bearer tokens, passwords in URLs. Not the rules of the redaction
 * itself, which must not be what tests it.
 */
const forms = [
  /\bs[kp]_(?:live|test)_[A-Za-z0-9_-]{20,}/,
  /\bwhk_[A-Za-z0-9_-]{20,}/,
  /\bwhsec_[A-Za-z0-9+/]{24,}/,
  /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/,
  /\bBearer [A-Za-z0-9._~+/-]{16,}/i,
  /\b(?:postgres(?:ql)?|rediss?):\/\/[^\s:@/"]*:(?!\[redacted\])[^\s@/"]+@/,
];

/** Looks for credentials in every line that the services of a stack log. */
export class LogSecrets {
  /** Where one was found, without it. */
  readonly found: string[] = [];
  private readonly known: string[];

  /** @param known secrets of the stack, such as the key of the administrator */
  constructor(known: readonly (string | undefined)[]) {
    this.known = known.filter((secret): secret is string => secret !== undefined && secret.length >= shortestSecret);
  }

  check(name: string, line: string): void {
    for (const form of [...this.known, ...forms]) {
      const shown = line.replace(form, '***');
      if (shown !== line) this.found.push(`${name}: ${shown.slice(0, 500)}`);
    }
  }

  /** @throws Error when a line had a credential */
  requireNone(): void {
    if (this.found.length > 0) throw new Error(`Credentials in the log (as ***):\n${this.found.join('\n')}`);
  }
}
