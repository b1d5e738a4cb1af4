import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import './module-hooks.mjs';

const require = createRequire(import.meta.url);

/**
 * Loads spec files with Node's own loader, into the globals of the worker. Jest's runtime loads every module again for each file, in a
 * context that it never frees: 1 to 3 s of each file behind the gateway. So modules keep their state from file to file, and none can be mocked.
 */
export default class {
  constructor() {
    // Those of the previous file. Jest's runtime has a global object for each file instead.
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
  }

  /** jest-circus, which holds the tests of one file. */
  requireInternalModule(path) {
    delete require.cache[path];
    return require(path);
  }

  requireModule(path) {
    return require(path);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  unstable_importModule(path) {
    return import(pathToFileURL(path).href);
  }

  setGlobalsForRuntime() {}

  enterTestCode() {}

  leaveTestCode() {}

  getSourceMaps() {
    return null;
  }

  getAllCoverageInfoCopy() {
    return {};
  }

  teardown() {}
}
