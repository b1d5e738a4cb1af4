import { resetJest } from './jest-object.mjs';

/** Specs run in the globals of their worker, which each file finds as the worker started. */
export default class {
  global = globalThis;
  #console = console;
  #exit = process.exit;
  #env = { ...process.env };

  setup() {
    // Jest's version knows the positions of its own transforms only; Node's reads the source maps of module-hooks.mjs.
    Error.prepareStackTrace = undefined;
  }

  teardown() {
    resetJest();
    globalThis.console = this.#console;
    process.exit = this.#exit;
    for (const name of Object.keys(process.env)) if (!(name in this.#env)) delete process.env[name];
    Object.assign(process.env, this.#env);
  }

  getVmContext() {
    return null;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }
}
