import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The user of an image; only root may become another one. */
export function accountOf(user) {
  if (!user || process.getuid() !== 0) return {};
  const [uid, gid = uid] = user.split(':').map(Number);
  return { uid, gid };
}

/** The process of one image: its CMD, ENV and USER, and nothing of this machine's environment but PATH. */
export class Container {
  #output = '';

  constructor(name, image, env) {
    this.name = name;
    this.image = image;
    this.env = { PATH: process.env.PATH, ...image.env, ...env };
  }

  start() {
    const [program, ...args] = this.image.command;
    this.child = this.#spawn(program, args);
    for (const stream of [this.child.stdout, this.child.stderr])
      stream.on('data', (data) => (this.#output = (this.#output + data).slice(-8_000)));
    return this;
  }

  /** Resolves with the exit code. */
  async ended() {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
    return this.child.exitCode;
  }

  /** Resolves when the image's own HEALTHCHECK passes. */
  async healthy(withinMs = 60_000) {
    const [program, ...args] = this.image.healthCheck;
    for (const end = Date.now() + withinMs; Date.now() < end; await sleep(250)) {
      if (this.child.exitCode !== null) throw this.#failure(`ended with code ${this.child.exitCode}`);
      const [code] = await once(this.#spawn(program, args), 'exit');
      if (code === 0) return;
    }
    throw this.#failure('did not become healthy');
  }

  /** What `docker stop` does: SIGTERM, and SIGKILL after ten seconds. */
  async stop() {
    const killer = setTimeout(() => this.child.kill('SIGKILL'), 10_000);
    this.child.kill('SIGTERM');
    const code = await this.ended();
    clearTimeout(killer);
    if (code !== 0)
      throw this.#failure(`answered SIGTERM with ${code ?? this.child.signalCode} instead of exit code 0`);
  }

  kill() {
    this.child?.kill('SIGKILL');
  }

  async succeed() {
    const code = await this.ended();
    if (code !== 0) throw this.#failure(`ended with code ${code}`);
  }

  #spawn(program, args) {
    return spawn(program, args, {
      cwd: join(this.image.root, this.image.workdir),
      env: this.env,
      ...accountOf(this.image.user),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  #failure(what) {
    return new Error(`${this.name} ${what}. Its last lines:\n${this.#output}`);
  }
}
