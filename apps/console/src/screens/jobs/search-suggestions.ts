/** The terms of the search line. The server refuses others and names these; the end-to-end tests compare both. */
export const searchTerms = [
  { term: 'queue:', about: 'queue:mails,reports' },
  { term: 'type:', about: 'job type, type:invoice' },
  { term: 'status:', about: 'status:deadletter' },
  { term: 'tag:', about: 'tag:urgent or tag:customer=4711' },
  { term: 'payload.', about: 'value in the payload, payload.order.id=4711' },
  { term: 'error~', about: 'part of the last error, error~"timed out"' },
  { term: 'worker:', about: 'worker:mailer-1' },
  { term: 'key:', about: 'idempotency key, key:order-4711' },
  { term: 'created:', about: 'younger or older, created:<1h or created:>7d' },
] as const;

export interface SearchSuggestion {
  /** The whole line with the suggestion as its last term. */
  line: string;
  about: string;
}

/** A value in quotes where the search line would read it as something else. */
export const quoted = (value: string): string =>
  /^[^\s",:=~]+$/.test(value) && !value.startsWith('-') ? value : `"${value.replace(/["\\]/g, '\\$&')}"`;

/** What the last term of a line may become: a qualifier, or a value of one. */
export function suggestionsFor(
  line: string,
  { queues, statuses }: { queues: readonly string[]; statuses: readonly string[] },
): SearchSuggestion[] {
  const [, before = '', last = ''] = /^((?:[^"]*\s)?)([^\s"]*)$/.exec(line) ?? [];
  const values = (qualifier: string, names: readonly string[]) =>
    names.map((name) => ({ text: qualifier + quoted(name), about: '', end: ' ' }));
  const all = [
    ...values('queue:', last.startsWith('queue:') ? queues : []),
    ...values('status:', last.startsWith('status:') ? statuses : []),
    ...searchTerms.map(({ term, about }) => ({ text: term, about, end: '' })),
  ];
  const isQuoted = line !== before + last;
  return isQuoted
    ? []
    : all
        .filter(({ text }) => text.startsWith(last) && text !== last)
        .slice(0, 12)
        .map(({ text, about, end }) => ({ line: before + text + end, about }));
}

/** Whether a line is words only, which events can be compared with as well. */
export const isPlainText = (line: string): boolean => /^[^\s":~=]+$/.test(line);
