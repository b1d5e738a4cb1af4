import { cpuSecondsOf, residentMbOf, proportionalMemoryMbOf } from '../measure/process-times.js';
import type { BenchRun, Scenario } from '../scenario.js';

/** CPU time is counted in steps of 10 ms: shorter windows cannot distinguish 1 % from 2 %. */
const minSeconds = 20;
const usualSeconds = 8;
/** V8 collects garbage once within a minute of a start or of the end of a load: 0.1 to 0.2 s of CPU in each service. */
const settlingSeconds = 60;

/** Runs first, before the services have had any load. */
export const idle = idleAs('idle', 'CPU and memory of the five services without requests, after start');

/** Runs after the other scenarios. */
export const idleAgain = idleAs('idle-again', 'the same after the other scenarios');

function idleAs(name: string, what: string): Scenario {
  return { name, what, settings: () => ({ 'resident memory': 'at the end of the window' }), run: measureIdle };
}

async function measureIdle({ stack, options, measure }: BenchRun): Promise<void> {
  const isFull = options.seconds >= usualSeconds;
  const seconds = isFull ? Math.max(minSeconds, options.seconds) : options.seconds;
  const services = Object.entries(stack.services);
  const step = {
    name: 'idle',
    seconds,
    warmup: isFull ? Math.max(settlingSeconds, options.warmup) : Math.max(3, options.warmup),
  };
  await measure(step, async (window) => {
    await window.whenOpened;
    const openedAt = performance.now();
    const before = services.map(([, pid]) => cpuSecondsOf(pid) ?? 0);
    await window.whenClosed;
    const elapsed = (performance.now() - openedAt) / 1_000;
    let [cpu, memory, shares] = [0, 0, 0];
    for (const [i, [name, pid]] of services.entries()) {
      const percent = (((cpuSecondsOf(pid) ?? 0) - before[i]!) / elapsed) * 100;
      const megabytes = residentMbOf(pid) ?? 0;
      window.figure(`${name} % of a core`, percent);
      window.figure(`${name} MB`, megabytes);
      cpu += percent;
      memory += megabytes;
      shares += proportionalMemoryMbOf(pid) ?? 0;
    }
    window.figure('all % of a core', cpu);
    window.figure('all MB', memory);
    window.figure('all MB, shared pages once', shares);
  });
}
