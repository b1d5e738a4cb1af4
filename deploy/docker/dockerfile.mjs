/**
 * Reads the part of the Dockerfile language that ours uses: no heredocs, no ONBUILD, no shell form of CMD.
 *
 * @param {string} text of a Dockerfile
 * @returns {{ name: string, base: string, steps: { word: string, flags: Record<string, string>, rest: string }[] }[]}
 *   its stages in order; `base` is the name of an earlier stage or of a foreign image
 * @throws Error names the line that this reader does not understand
 */
export function readDockerfile(text) {
  const defaults = {};
  const stages = [];
  for (const line of logicalLines(text)) {
    const [, word, tail] = /^([A-Z]+)\s+(.*)$/s.exec(line) ?? fail(line);
    const { flags, rest } = splitFlags(tail);
    if (word === 'ARG') {
      const [name, value = ''] = rest.split('=');
      defaults[name] = value;
    } else if (word === 'FROM') {
      const [, base, name] = /^(\S+)\s+AS\s+(\S+)$/.exec(rest) ?? fail(line);
      stages.push({ name, base: base.replace(/\$\{(\w+)\}/g, (_, arg) => defaults[arg] ?? fail(line)), steps: [] });
    } else {
      (stages.at(-1) ?? fail(line)).steps.push({ word, flags, rest });
    }
  }
  return stages;
}

/** Words of the JSON form of CMD and of a HEALTHCHECK's CMD. */
export const commandOf = (rest) => JSON.parse(rest.replace(/^CMD\s+/, ''));

/** Name and value of `ENV NAME=value`. */
export const variableOf = (rest) => [rest.slice(0, rest.indexOf('=')), rest.slice(rest.indexOf('=') + 1)];

function logicalLines(text) {
  return text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .join('\n')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

function splitFlags(tail) {
  const flags = {};
  let rest = tail;
  for (let found; (found = /^--([\w-]+)=(\S+)\s+/.exec(rest)); rest = rest.slice(found[0].length)) {
    flags[found[1]] = found[2];
  }
  return { flags, rest };
}

function fail(line) {
  throw new Error(`This line of the Dockerfile is not understood: ${line}`);
}
