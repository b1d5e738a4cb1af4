/**
 * Comments, casts, parameters, strings, quoted names, numbers, words, operators. Parameters and casts are tokens, so that their colons
 * are no slices.
 */
const pattern =
  /--.*|\/\*[^]*?\*\/|\$\w*\$|'(?:[^']|'')*'|"(?:[^"]|"")*"|::|:=|=>|:[A-Za-z]\w*!?|\d+(?:\.\d+)?|[A-Za-z_]\w*|[-+*/<>=~!@#%^&|?]+|\S/g;

const opening = ['(', '[', 'case'];
const closing = { ')': '(', ']': '[', end: 'case' };

/**
 * @typedef {{ text: string, word: string, start: number, end: number }} Token `word` is `text` in lower case
 * @typedef {(Token | Group)[]} Part of an expression
 * @typedef {{ open: Token, close: Token, call?: string, parts: Part, start: number, end: number }} Group what parentheses, brackets or
 *   CASE … END hold; `call` is the word before
 */

/**
 * The tokens that run: of a function those of its body, of a statement all.
 * @returns {Token[]}
 */
export function tokensOf(source) {
  const [from, to] = bodyOf(source);
  const all = Array.from(source.matchAll(pattern), ({ 0: text, index }) => ({
    text,
    word: text.toLowerCase(),
    start: index,
    end: index + text.length,
  }));
  return all.filter(({ text, start }) => start >= from && start < to && !/^(--|\/\*)/.test(text));
}

/** Where the body of a function begins and ends; bodies of standard SQL have no quotes. */
function bodyOf(source) {
  if (!source.includes('CREATE OR REPLACE FUNCTION')) return [0, source.length];
  const quote = /^AS (\$\w*\$)/m.exec(source);
  if (!quote) return [source.search(/^(RETURN|BEGIN ATOMIC)\b/m), source.length];
  const start = quote.index + quote[0].length;
  return [start, source.indexOf(quote[1], start)];
}

/**
 * The tokens as a tree, so that a rule sees a parenthesis as one part of what is around it.
 * @param {Token[]} tokens
 * @returns {Part}
 */
export function treeOf(tokens) {
  const root = { parts: [] };
  const stack = [root];
  for (const token of tokens) {
    const top = stack.at(-1);
    if (closing[token.word] && top.open?.word === closing[token.word]) {
      Object.assign(top, { close: token, end: token.end });
      stack.pop();
    } else if (opening.includes(token.word)) {
      const group = { open: token, call: top.parts.at(-1)?.word, parts: [], start: token.start };
      top.parts.push(group);
      stack.push(group);
    } else top.parts.push(token);
  }
  return root.parts;
}

/** Each list of parts of the tree, with the word before its group. */
export function* walk(parts, call = '') {
  yield { parts, call };
  for (const part of parts) if (part.parts) yield* walk(part.parts, part.call);
}
