/** Jest transform equivalent to the bundler's "text" module type, for `.sql`, `.lua` and `.proto` files. */
export default {
  process: (text) => ({ code: `export default ${JSON.stringify(text)};` }),
};
