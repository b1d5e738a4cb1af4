import { clearInterval, setInterval } from 'node:timers';

const colour = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code, text) => (colour ? `\x1b[${code}m${text}\x1b[0m` : text);
const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`;

// The reader of the output has closed (`npm start | head`): the system continues, its logs are in files.
process.stdout.on('error', () => undefined);

/** The current step, or null. Its line is redrawn in a terminal and repeated at intervals in a log. */
let current = null;

function draw() {
  if (process.stdout.isTTY)
    process.stdout.write(`\r\x1b[K${paint(2, '…')} ${current.text} ${paint(2, seconds(current.since))}`);
}

function clear() {
  if (current && process.stdout.isTTY) process.stdout.write('\r\x1b[K');
}

/** Prints one line; the current step stays below it. */
export function say(line) {
  clear();
  process.stdout.write(`${line}\n`);
  if (current) draw();
}

/** Runs `work` with a progress line that shows what is being done, for how long, and how it ended. */
export async function step(text, work) {
  const outer = current;
  current = { text, since: Date.now() };
  const { since } = current;
  if (process.stdout.isTTY) draw();
  else process.stdout.write(`… ${text}\n`);
  const tick = setInterval(
    () => (process.stdout.isTTY ? draw() : process.stdout.write(`… ${text}, ${seconds(since)}\n`)),
    process.stdout.isTTY ? 250 : 15_000,
  );
  try {
    const result = await work();
    clear();
    process.stdout.write(`${paint(32, '✓')} ${text} ${paint(2, seconds(since))}\n`);
    return result;
  } catch (error) {
    clear();
    process.stdout.write(`${paint(31, '✗')} ${text} ${paint(2, seconds(since))}\n`);
    throw error;
  } finally {
    clearInterval(tick);
    current = outer;
  }
}
