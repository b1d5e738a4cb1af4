import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import { commandOf, variableOf } from './dockerfile.mjs';

/** What a finished stage is: a folder in place of a file system, and how its process starts. */
const emptyImage = () => ({ env: {}, workdir: '/', user: null, command: null, healthCheck: null });

/**
 * Follows the stages of a Dockerfile in plain folders, without a container engine. Foreign images are taken to be this
 * machine; stages on images other than Node's are beyond it.
 */
export class StageBuilder {
  #images = new Map();

  /**
   * @param {ReturnType<import('./dockerfile.mjs').readDockerfile>} stages
   * @param {string} context the build context
   * @param {string} folder for the stages, empty
   * @param {(line: string) => void} say
   */
  constructor(stages, context, folder, say) {
    Object.assign(this, { stages, context, folder, say });
  }

  /** Builds the stage with all that it needs, once. */
  async build(name) {
    const known = this.#images.get(name);
    if (known) return known;
    const stage = this.stages.find((candidate) => candidate.name === name);
    if (!stage) throw new Error(`The Dockerfile has no stage "${name}"`);
    const image = await this.#base(stage);
    for (const step of stage.steps) await this.#follow(step, image);
    this.#images.set(name, image);
    return image;
  }

  /** The final stages that stand on Node's image: no other stage builds on them or copies from them. */
  get targets() {
    const used = new Set(this.stages.flatMap(({ base, steps }) => [base, ...steps.map(({ flags }) => flags.from)]));
    return this.stages.filter(({ name }) => !used.has(name) && this.#standsOnNode(name)).map(({ name }) => name);
  }

  #standsOnNode(name) {
    const stage = this.stages.find((candidate) => candidate.name === name);
    return stage ? this.#standsOnNode(stage.base) : /^node:/.test(name);
  }

  async #base({ name, base }) {
    const root = join(this.folder, name);
    if (!this.stages.some((stage) => stage.name === base)) {
      mkdirSync(root);
      return { ...emptyImage(), root };
    }
    const parent = await this.build(base);
    execFileSync('cp', ['-al', parent.root, root]);
    return { ...parent, env: { ...parent.env }, root };
  }

  async #follow({ word, flags, rest }, image) {
    const inImage = (path) => join(image.root, isAbsolute(path) ? path : join(image.workdir, path));
    if (word === 'WORKDIR') mkdirSync(inImage((image.workdir = rest)), { recursive: true });
    else if (word === 'ENV') image.env[variableOf(rest)[0]] = variableOf(rest)[1];
    else if (word === 'USER') image.user = rest;
    else if (word === 'CMD') image.command = commandOf(rest);
    else if (word === 'HEALTHCHECK') image.healthCheck = commandOf(rest);
    else if (word === 'COPY') await this.#copy(flags.from, rest.split(/\s+/), inImage);
    else if (word === 'RUN') await this.#run(rest, image);
    else if (!['EXPOSE', 'STOPSIGNAL'].includes(word)) throw new Error(`${word} is beyond this script`);
  }

  async #copy(from, words, inImage) {
    const sourceRoot = from ? (await this.build(from)).root : this.context;
    const target = words.at(-1);
    for (const word of words.slice(0, -1)) {
      const source = join(sourceRoot, word);
      if (!existsSync(source)) throw new Error(`COPY: there is no ${word} in ${from ?? 'the build context'}`);
      if (statSync(source).isDirectory()) copyInto(`${source}/.`, inImage(target));
      else copyFile(source, target.endsWith('/') ? inImage(join(target, basename(word))) : inImage(target));
    }
  }

  #run(line, image) {
    this.say(`RUN ${line}`);
    const child = spawn('bash', ['-c', line], {
      cwd: join(image.root, image.workdir),
      // The pinned Node trusts the certificate authorities of this machine only when it is told to.
      env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_USE_SYSTEM_CA: '1', ...image.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => (output = (output + data).slice(-20_000)));
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) =>
        code === 0 ? resolve() : reject(new Error(`${line} failed (${code}):\n${output}`)),
      );
    });
  }
}

// Files of a stage are hard links to those of its base, so they are replaced and never written into.
function copyInto(source, target) {
  mkdirSync(target, { recursive: true });
  execFileSync('cp', ['-a', '--remove-destination', source, target]);
}

function copyFile(source, target) {
  execFileSync('cp', ['-a', '--remove-destination', source, target]);
}
