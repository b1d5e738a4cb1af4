import { Presets, SingleBar } from 'cli-progress';
import type { Ledger } from './ledger.js';

/** A progress bar in a terminal; otherwise a line every five seconds. */
export function startProgress(ledger: Ledger): { stop(): void } {
  if (!process.stderr.isTTY) {
    const timer = setInterval(() => process.stderr.write(`${line(ledger)}\n`), 5000);
    return { stop: () => clearInterval(timer) };
  }
  const bar = new SingleBar(
    {
      format:
        '{bar} {percentage}% | accepted {accepted} | ended {value}/{total} | retries {retries} | {duration_formatted}',
    },
    Presets.shades_classic,
  );
  bar.start(ledger.total, 0, { accepted: 0, retries: 0 });
  const update = () => bar.update(ledger.ended, { accepted: ledger.accepted, retries: ledger.retries });
  const timer = setInterval(update, 100);
  return {
    stop: () => {
      clearInterval(timer);
      update();
      bar.stop();
    },
  };
}

const line = ({ accepted, ended, total, retries }: Ledger): string =>
  `accepted ${accepted}, ended ${ended} of ${total}, retries ${retries}`;
