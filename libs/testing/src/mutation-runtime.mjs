import { pathToFileURL } from 'node:url';
import JestRuntime from './jest-runtime.mjs';

let runs = 0;

/**
 * For `npm run mutate -- --sql` with a function, which changes no module: those that a spec imports stay loaded for all mutants. The spec itself is
 * loaded again each time, as it declares its tests while it loads.
 */
export default class extends JestRuntime {
  unstable_importModule(path) {
    return import(`${pathToFileURL(path).href}?run=${++runs}`);
  }
}
