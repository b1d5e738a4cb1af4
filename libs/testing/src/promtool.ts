import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A series as promtool writes it, `name{labels}` with values such as `0x60` (61 times 0) or `0+10x60` (10 more each minute). */
export interface Series {
  series: string;
  values: string;
}

export interface RuleTest {
  /** The alert that must fire after an hour; null = none may. */
  fires: string | null;
  given: Series[];
}

/**
 * Evaluates the rules for an hour of each test with Prometheus's own engine.
 * @returns what promtool says about failed tests; empty = all passed
 * @throws Error without promtool: rules that nothing evaluated are not tested
 */
export function evaluateRules(rules: string, tests: RuleTest[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'spooled-rules-'));
  try {
    writeFileSync(join(folder, 'rules.yaml'), rules);
    writeFileSync(
      join(folder, 'tests.yaml'),
      JSON.stringify({ rule_files: ['rules.yaml'], tests: tests.map(asGroup) }),
    );
    const { status, stdout, stderr, error } = spawnSync('promtool', ['test', 'rules', join(folder, 'tests.yaml')], {
      encoding: 'utf8',
    });
    if (error) throw new Error(`promtool does not start (${error.message}): install Prometheus`, { cause: error });
    return status === 0 ? '' : `${stdout}${stderr}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const asGroup = ({ fires, given }: RuleTest): object => ({
  name: fires ?? 'nothing fires',
  interval: '1m',
  input_series: given,
  promql_expr_test: [
    {
      expr: `count by (alertname) (ALERTS{alertstate="firing"${fires ? `,alertname="${fires}"` : ''}})`,
      eval_time: '60m',
      exp_samples: fires ? [{ labels: `{alertname="${fires}"}`, value: 1 }] : [],
    },
  ],
});
