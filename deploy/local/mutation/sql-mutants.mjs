import { tokensOf, treeOf, walk } from './sql-tokens.mjs';

/**
 * @typedef {import('./sql-tokens.mjs').Part} Part
 * @typedef {{ rule: string, start: number, end: number, text: string }} Mutant the text that takes the place of a range of the source
 */

const comparisons = { '<': '<=', '<=': '<', '>': '>=', '>=': '>', '=': '<>', '<>': '=', '!=': '=' };
const swaps = {
  least: 'greatest',
  greatest: 'least',
  min: 'max',
  max: 'min',
  bool_and: 'bool_or',
  bool_or: 'bool_and',
};
const operators = { '+': '-', '-': '+', '*': '/', '/': '*' };
/** Above this, one more or less is no promise; twice as much may be. */
const exactNumbers = 100;

/** Words at which a condition begins or ends. */
const boundaries = new Set(
  `where on having when if elsif then else select return := , ; from group order limit offset union except intersect returning
   loop while for join left right inner full cross lateral window using set values as filter into conflict do begin declare exit
   continue perform with over rows range`.split(/\s+/),
);
/** Words after which a condition stands, so that it may be one term. */
const conditional = new Set(['where', 'on', 'having', 'when', 'if', 'elsif']);

/**
 * Every change of a statement or function that the rules make, in the order of the text. Same source, same mutants.
 * @returns {Mutant[]}
 */
export function mutantsOf(source) {
  const found = [];
  for (const { parts, call } of walk(treeOf(tokensOf(source)))) {
    for (const rule of rules) if (!isSeeded(rule, call)) found.push(...rule(parts, source));
  }
  const terms = found.filter(({ rule }) => rule === 'term');
  const kept = found.filter(({ negated }) => !terms.some(({ parts }) => parts.includes(negated)));
  const unique = new Map(kept.map((mutant) => [`${mutant.start} ${mutant.end} ${mutant.text}`, mutant]));
  return [...unique.values()].sort((a, b) => a.start - b.start || a.end - b.end || (a.text < b.text ? -1 : 1));
}

export const applyMutant = (source, { start, end, text }) => source.slice(0, start) + text + source.slice(end);

/** Where the mutant is, and what it changes, in one line. */
export function describeMutant(source, { rule, start, end, text }) {
  const short = (words) => words.replace(/\s+/g, ' ').trim();
  const before = source.slice(0, start).split('\n');
  return {
    line: before.length,
    column: before.at(-1).length + 1,
    rule,
    from: short(source.slice(start, end)),
    to: short(text),
  };
}

/** Any seed of a hash will do. */
const isSeeded = (rule, call) => rule === constantMutants && call === 'hashtextextended';

/** What notices that a term is missing notices its contrary too, so that is only made where no term can be taken away. */
const negate = (part, text, rule = 'negation') => ({ ...replace(rule, part, text), negated: part });
const replace = (rule, part, text) => ({ rule, start: part.start, end: part.end, text });
const insert = (rule, at, text) => ({ rule, start: at, end: at, text });
const wordAt = (parts, i) => parts[i]?.word ?? '';
const isOperand = (part) =>
  part !== undefined && (part.parts !== undefined || /^['":\w]/.test(part.text)) && !isKeyword(part.word);
const isKeyword = (word) =>
  boundaries.has(word) || ['and', 'or', 'not', 'in', 'is', 'between', 'by', 'like', 'distinct', 'all'].includes(word);

function* comparisonMutants(parts) {
  let assigns = false;
  let raises = false;
  for (const [i, part] of parts.entries()) {
    if (part.word === 'raise') raises = true;
    if (part.word === ';') raises = false;
    if (part.word === 'set' || part.word === ',') assigns = clauseOf(parts, i) === 'set';
    const negated = comparisons[part.word];
    if (!negated) continue;
    const isAssignment = part.word === '=' && (raises || assigns);
    if (part.word === '=') assigns = false;
    if (!isAssignment && !['any', 'all'].includes(wordAt(parts, i + 1)))
      yield ['=', '<>', '!='].includes(part.word)
        ? negate(part, negated, 'comparison')
        : replace('comparison', part, negated);
  }
}

/** The word that begins the clause of a part. */
function clauseOf(parts, i) {
  const words = ['set', 'where', 'from', 'select', 'returning', 'values', 'into', ';'];
  while (i >= 0 && !words.includes(wordAt(parts, i))) i--;
  return wordAt(parts, i);
}

function* nullMutants(parts) {
  for (const [i, part] of parts.entries()) {
    const [next, after] = [wordAt(parts, i + 1), wordAt(parts, i + 2)];
    if (part.word === 'is' && next === 'not') yield { ...negate(part, 'IS'), end: parts[i + 1].end };
    else if (part.word === 'is' && ['null', 'distinct'].includes(next)) yield negate(part, 'IS NOT');
    else if (part.word === 'exists') yield* existsMutants(parts, i);
    else if (
      part.word === 'not' &&
      !['materialized', 'null'].includes(next) &&
      next !== 'exists' &&
      wordAt(parts, i - 1) !== 'is'
    )
      yield negate(part, '');
    if (part.word === 'skip' && next === 'locked') yield { ...replace('lock', part, ''), end: parts[i + 1].end };
    if (part.word === 'distinct' && !['from', 'on'].includes(next) && wordAt(parts, i - 1) === 'select' && after)
      yield replace('distinct', part, '');
  }
}

function* existsMutants(parts, i) {
  if (wordAt(parts, i - 1) !== 'not') yield negate(parts[i], 'NOT EXISTS');
  else yield { ...negate(parts[i], 'EXISTS'), start: parts[i - 1].start };
}

function* limitMutants(parts) {
  for (const [i, part] of parts.entries()) {
    const next = parts[i + 1];
    if (part.word !== 'limit' || !next || ['null', 'all'].includes(next.word)) continue;
    if (!/^\d+$/.test(next.text ?? '')) {
      yield insert('limit', next.start, '1 + ');
      yield insert('limit', next.start, '-1 + ');
    } else if (Number(next.text) > exactNumbers) yield replace('limit', next, String(Number(next.text) * 2));
    else {
      yield replace('limit', next, String(Number(next.text) + 1));
      yield replace('limit', next, String(Number(next.text) - 1));
    }
  }
}

function* constantMutants(parts) {
  for (const [i, part] of parts.entries()) {
    const isNumber = /^\d/.test(part.text ?? '');
    if (isNumber && wordAt(parts, i - 1) !== 'limit') yield replace('constant', part, larger(part.text));
    if (part.word === 'true') yield replace('constant', part, 'FALSE');
    if (part.word === 'false') yield replace('constant', part, 'TRUE');
    const isInterval =
      wordAt(parts, i - 1) === 'interval' || (wordAt(parts, i + 1) === '::' && wordAt(parts, i + 2) === 'interval');
    if (isInterval && /\d/.test(part.text ?? '')) yield replace('constant', part, part.text.replace(/\d+/, larger));
  }
}

const larger = (text) => String(Number(text) > exactNumbers ? Number(text) * 2 : Number(text) + 1);

function* operatorMutants(parts) {
  for (const [i, part] of parts.entries()) {
    const swapped = operators[part.word];
    const next = parts[i + 1];
    // A string behind a minus is a member to remove.
    if (swapped && isOperand(parts[i - 1]) && isOperand(next) && !next.text?.startsWith("'"))
      yield replace('operator', part, swapped);
  }
}

function* functionMutants(parts, source) {
  for (const [i, part] of parts.entries()) {
    const call = parts[i + 1];
    if (call?.open?.text !== '(' || part.parts) continue;
    if (swaps[part.word]) yield replace('function', part, swaps[part.word]);
    if (part.word !== 'coalesce') continue;
    const [first, second] = split(call.parts, [',']).map((list) => range(list));
    const text = (one) => source.slice(one.start, one.end);
    if (second)
      yield { rule: 'function', start: first.start, end: second.end, text: `${text(second)}, ${text(first)}` };
  }
}

function* listMutants(parts, source) {
  for (const [i, part] of parts.entries()) {
    const list = parts[i + 1];
    if (part.word !== 'in' || list?.open?.text !== '(') continue;
    const members = split(list.parts, [',']);
    if (members.length < 2 || !members.every((one) => one.length === 1 && one[0].text?.startsWith("'"))) continue;
    yield* dropEach('list', members, source);
  }
}

function* orderMutants(parts, source) {
  for (const [i, part] of parts.entries()) {
    if (part.word !== 'order' || wordAt(parts, i + 1) !== 'by') continue;
    const end = parts.findIndex(({ word }, at) => at > i + 1 && word !== ',' && boundaries.has(word));
    const keys = split(parts.slice(i + 2, end === -1 ? undefined : end), [',']);
    for (const key of keys) yield reversed(key);
    if (keys.length > 1) yield* dropEach('order', keys, source);
  }
}

function reversed(key) {
  const direction = key.find(({ word }) => ['asc', 'desc'].includes(word));
  if (direction) return replace('order', direction, direction.word === 'desc' ? 'ASC' : 'DESC');
  const nulls = key.findIndex(({ word }) => word === 'nulls');
  return insert('order', range(nulls === -1 ? key : key.slice(0, nulls)).end, ' DESC');
}

/** Each member of a list away, with the comma before or behind it. */
function* dropEach(rule, members, source) {
  for (const i of members.keys()) {
    const rest = members.filter((_, at) => at !== i).map((one) => source.slice(range(one).start, range(one).end));
    yield { rule, start: range(members[0]).start, end: range(members.at(-1)).end, text: rest.join(', ') };
  }
}

/** Every term of a condition away: TRUE in place of what AND joins, FALSE in place of what OR joins. */
function* termMutants(parts) {
  for (const { begin, condition } of conditionsOf(parts)) {
    const alternatives = split(condition, ['or']);
    if (alternatives.length > 1) for (const one of alternatives) yield term(one, 'FALSE');
    for (const one of alternatives) {
      const terms = split(one, ['and']);
      if (terms.length > 1) for (const each of terms) yield term(each, 'TRUE');
    }
    if (conditional.has(begin) && split(condition, ['or', 'and']).length === 1) {
      yield term(condition, 'TRUE');
      if (!['where', 'on', 'having'].includes(begin)) yield term(condition, 'FALSE');
    }
  }
}

const term = (parts, text) => ({ rule: 'term', ...range(parts), text, parts });

/** Words that begin a clause, and are something else here: IS DISTINCT FROM, the functions left() and right(), a parameter `filter`. */
function isName(parts, i) {
  const word = wordAt(parts, i);
  if (word === 'from') return wordAt(parts, i - 1) === 'distinct';
  const isCall = parts[i + 1]?.parts !== undefined;
  return word === 'filter' ? !isCall : ['left', 'right'].includes(word) && isCall;
}

function* conditionsOf(parts) {
  let begin = '';
  let condition = [];
  for (const [i, part] of [...parts, { word: ';' }].entries()) {
    const isBoundary = boundaries.has(part.word) && !isName(parts, i);
    if (!isBoundary) condition.push(part);
    else {
      if (condition.length > 0 && isCondition(begin, condition)) yield { begin, condition };
      [begin, condition] = [part.word, []];
    }
  }
}

/** Not the values of CASE x WHEN value, names of errors, END IF, and what ON CONFLICT and DISTINCT ON name. */
const isCondition = (begin, condition) =>
  begin !== 'on' && begin !== 'when' && begin !== 'if'
    ? true
    : condition.some(({ word }) => /^([<>=!~@]+|is|in|not|and|or|exists|like|between)$/.test(word ?? '')) ||
      (begin !== 'on' && condition.length > 0 && !['sqlstate', 'others'].includes(condition[0].word) && begin === 'if');

/** The parts between separators; AND of a BETWEEN separates nothing. */
function split(parts, separators) {
  const lists = [[]];
  let isRange = false;
  for (const part of parts) {
    const ofRange = isRange && part.word === 'and';
    if (part.word === 'between') isRange = true;
    if (ofRange) isRange = false;
    if (separators.includes(part.word) && !ofRange) lists.push([]);
    else lists.at(-1).push(part);
  }
  return lists.filter((list) => list.length > 0);
}

const range = (parts) => ({ start: parts[0].start, end: parts.at(-1).end });

const rules = [
  comparisonMutants,
  nullMutants,
  limitMutants,
  constantMutants,
  operatorMutants,
  functionMutants,
  listMutants,
  orderMutants,
  termMutants,
];
