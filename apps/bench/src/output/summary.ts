import type { BenchReport, TargetReport } from '../report.js';
import { describeSettings } from './table.js';

/** Machine, stack and options; printed before the first scenario. */
export function describeRun({ machine, stack, options, commit }: BenchReport): string[] {
  const { cpu, cores, memoryMb, os, node, loadAverage } = machine;
  return [
    '',
    `machine   ${cores} × ${cpu}, ${Math.round(memoryMb / 1_024)} GB, ${os}, Node ${node}, load average ${loadAverage.join(' ')}`,
    `stack     commit ${commit}, ${describeSettings(stack)}`,
    `options   ${describeSettings(options)}`,
    'The load generator runs in this process and shares the machine with the stack.',
  ];
}

export function describeTargets(targets: TargetReport[]): string[] {
  if (targets.length === 0) return [];
  const width = (of: (target: TargetReport) => string): number =>
    Math.max(...targets.map((target) => of(target).length));
  const [name, target] = [width((t) => t.name), width((t) => t.target)];
  return [
    '',
    'target / measured',
    ...targets.map(
      (t) => `  ${t.met ? 'met   ' : 'MISSED'}  ${t.name.padEnd(name)}  ${t.target.padEnd(target)}  ${t.measured}`,
    ),
  ];
}
