import type { DemoArguments } from './arguments.js';
import type { Ledger } from './ledger.js';

/** Prints numbers of accepted, completed, retried and dead-lettered jobs, the rates, and all problems. */
export function printReport(ledger: Ledger, { url, workers }: DemoArguments, problems: string[]): void {
  const entries = [...ledger.entries.values()];
  const seconds = (performance.now() - ledger.startedAt) / 1000;
  const waits = entries
    .flatMap(({ acceptedAt, startedAt }) =>
      acceptedAt === undefined || startedAt === undefined ? [] : [Math.max(0, startedAt - acceptedAt)],
    )
    .sort((a, b) => a - b);
  const completed = entries.filter(({ completions }) => completions > 0).length;
  const dead = entries.filter((entry) => entry.dead).length;
  const rows: [string, string][] = [
    ['system', `${url}, ${workers} workers`],
    ['accepted', `${ledger.accepted} webhooks of ${new Set(entries.map(({ queue }) => queue)).size} kinds`],
    ['attempts', `${ledger.attempts} (${ledger.heartbeats} heartbeats, ${ledger.leasesLost} leases lost)`],
    ['failed', `${ledger.failures} attempts, of which ${ledger.retries} were retried`],
    ['completed', `${completed}`],
    ['dead letters', `${dead}`],
    ['throughput', `${(ledger.ended / seconds).toFixed(0)} jobs/s over ${seconds.toFixed(1)} s`],
    [
      'accepted to started',
      ['p50', 'p95', 'p99'].map((p) => `${p} ${quantile(waits, Number(p.slice(1)))} ms`).join('  '),
    ],
  ];
  const out = ['', ...rows.map(([name, value]) => `  ${name.padEnd(20)} ${value}`), ''];
  out.push(problems.length === 0 ? '  Nothing lost, nothing completed twice.' : '  FAILED');
  process.stdout.write(`${[...out, ...problems.map((problem) => `  - ${problem}`), ''].join('\n')}\n`);
}

const quantile = (sorted: number[], percent: number): string =>
  sorted.length === 0
    ? '–'
    : sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))]!.toFixed(0);
