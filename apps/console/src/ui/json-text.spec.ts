import { mergePatch, prettyJson, readJson, withEditedMembers } from './json-text';

it('keeps the digits of large integers while a document is edited', () => {
  const text = prettyJson(readJson('{"id":9007199254740993}').value);
  expect(text).toBe('{\n  "id": 9007199254740993\n}');
});

it('says what is wrong with a text that is no JSON', () => {
  expect(readJson('{"a":').error).toContain('not JSON');
});

describe('a merge patch', () => {
  it.each([
    ['a changed member', { a: 1, b: 2 }, { a: 1, b: 3 }, { b: 3 }],
    ['a new and a removed member', { a: 1 }, { b: 1 }, { a: null, b: 1 }],
    ['a member of a member', { a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, { a: { c: 3 } }],
    ['a removed member of a member', { a: { b: 1, c: 2 } }, { a: { c: 2 } }, { a: { b: null } }],
    ['a list, as a whole', { a: [1, 2] }, { a: [1] }, { a: [1] }],
    ['nothing', { a: [1, { b: null }] }, { a: [1, { b: null }] }, {}],
  ])('has %s', (_what, from, to, patch) => expect(mergePatch(from, to)).toEqual(patch));

  it('has a member with the name of a prototype', () => {
    const patch = mergePatch(JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":{"a":2}}'));
    expect(prettyJson(patch)).toBe(prettyJson(JSON.parse('{"__proto__":{"a":2}}')));
  });

  it.each([
    ['a member that becomes null', { a: 1 }, { a: null }],
    ['a new member with a null inside', {}, { a: { b: null } }],
    ['documents that are no objects', [1], [2]],
  ])('cannot express %s', (_what, from, to) => expect(mergePatch(from, to)).toBeNull());
});

it('keeps members that others have changed since a document was opened in an editor', () => {
  const opened = { edited: 1, removed: 1, theirs: { a: 1 }, gone: 1 };
  const edited = { edited: 2, theirs: { a: 1 }, gone: 1, added: 1 };
  const present = { edited: 1, removed: 1, theirs: { a: 2 }, new: 1 };
  expect(withEditedMembers(present, opened, edited)).toEqual({ edited: 2, theirs: { a: 2 }, new: 1, added: 1 });
});
