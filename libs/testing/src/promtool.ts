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
  /** No other alert may fire. */
  alone?: boolean;
  given: Series[];
}

/**
 * Evaluates the rules for an hour of each test with Prometheus's own engine.
 * @returns what promtool says about failed tests; empty = all passed
 * @throws Error without promtool: rules that nothing evaluated are not tested
 */
export function evaluateRules(rules: string, tests: RuleTest[]): string {
  const test = JSON.stringify({ rule_files: ['rules.yaml'], tests: tests.map(asGroup) });
  return promtool(['test', 'rules', 'tests.yaml'], { 'rules.yaml': rules, 'tests.yaml': test });
}

/** An alert as a receiver gets it, with its labels and annotations. */
export interface ReceivedAlert {
  alert: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

/**
 * Evaluates the rules for an hour of the series, in a Prometheus with these external labels.
 * @returns what promtool says if another alert, or one with other texts, fires under this name; empty = passed
 */
export function evaluateAlert(
  rules: string,
  given: Series[],
  expected: ReceivedAlert,
  externalLabels: Record<string, string>,
): string {
  const { alert, labels, annotations } = expected;
  const fired = {
    eval_time: '60m',
    alertname: alert,
    exp_alerts: [{ exp_labels: labels, exp_annotations: annotations }],
  };
  const group = { interval: '1m', input_series: given, external_labels: externalLabels, alert_rule_test: [fired] };
  const test = JSON.stringify({ rule_files: ['rules.yaml'], tests: [group] });
  return promtool(['test', 'rules', 'tests.yaml'], { 'rules.yaml': rules, 'tests.yaml': test });
}

/** @returns what promtool says about rules that Prometheus refuses; empty = none */
export const checkRules = (rules: string): string =>
  promtool(['check', 'rules', '--lint-fatal', 'rules.yaml'], { 'rules.yaml': rules });

/** @returns what promtool says about a configuration that Prometheus refuses; the files are those that it names */
export const checkConfig = (config: string, files: Record<string, string>): string =>
  promtool(['check', 'config', config], files);

/** Runs promtool in a folder with these files. @returns its output if it fails, otherwise nothing */
function promtool(words: string[], files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'spooled-rules-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const { status, stdout, stderr, error } = spawnSync('promtool', words, { cwd: folder, encoding: 'utf8' });
    if (error) throw new Error(`promtool does not start (${error.message}): install Prometheus`, { cause: error });
    return status === 0 ? '' : `${stdout}${stderr}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const asGroup = ({ fires, alone, given }: RuleTest): object => ({
  name: fires ?? 'nothing fires',
  interval: '1m',
  input_series: given,
  promql_expr_test: [
    {
      expr: `count by (alertname) (ALERTS{alertstate="firing"${fires && !alone ? `,alertname="${fires}"` : ''}})`,
      eval_time: '60m',
      exp_samples: fires ? [{ labels: `{alertname="${fires}"}`, value: 1 }] : [],
    },
  ],
});
