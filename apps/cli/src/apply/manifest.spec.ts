import { readManifest } from './manifest.js';

const read = (text: string, { prune = false } = {}) =>
  readManifest([{ name: 'f.yaml', text }], { SECRET: 'from the environment' }, { prune });

describe('BX-17 a file of resources', () => {
  it('has names as they are written', () => {
    const { wanted } = read('queues: { 007: { settings: { 0x1: 08 } }, 1e3: {}, true: {}, ~: {} }');
    expect(wanted.map(({ name }) => name)).toEqual(['007', '1e3', 'true', '~']);
    expect(wanted[0]!.members).toEqual({ settings: { '0x1': 8 } });
  });

  it('keeps words that other versions of YAML take for truth values, and numbers as JSON has them', () => {
    const { members } = read('schedules: { a: { payload_template: [yes, on, -0.0, 010] } }').wanted[0]!;
    expect(members).toEqual({ payload_template: ['yes', 'on', 0, 10] });
    expect(Object.is((members.payload_template as number[])[2], 0)).toBe(true);
  });

  it('keeps what was written of a value that comes from the environment', () => {
    expect(read('webhooks: { a: { url: "${SECRET}" } }').wanted).toMatchObject([
      { members: { url: 'from the environment' }, written: { url: '${SECRET}' } },
    ]);
  });

  it.each([
    ['queues: { "": {} }', 'queues holds an empty name'],
    ['schedules: { a: { payload_template: { x: .nan } } }', '.nan and .inf'],
    ['webhooks: { a: { url: !vault x } }', 'Unresolved tag: !vault'],
    ['queues: {}\n---\nqueues: {}', 'several documents'],
    ['%YAML 1.1\n---\nqueues: { a: { enabled: yes } }', 'only YAML 1.2'],
    [
      `a: &a [${'1,'.repeat(9)}]\n${'bcdef'.replace(/./g, (c) => `${c}: &${c} [${`*${String.fromCharCode(c.charCodeAt(0) - 1)},`.repeat(9)}]\n`)}`,
      'alias',
    ],
  ])('is refused: %s', (text, message) => expect(() => read(text)).toThrow(message));

  it('deletes all of a section only when it says that there are none', () => {
    expect(() => read('schedules:', { prune: true })).toThrow('write {} to mean that');
    expect(read('schedules: {}', { prune: true }).sections).toEqual(new Set(['schedule']));
    expect(read('schedules:').wanted).toEqual([]);
  });
});
