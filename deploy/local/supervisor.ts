import type { ProcessIdentity } from './processes.js';
import { ServiceProcess, type ServiceSpec, type ServiceWatcher } from './service-process.js';

/** Stop order: the gateway first, then the services behind it, the engine last. */
const stopStages = [['gateway'], ['webhooks', 'realtime', 'scheduler'], ['engine']];
/** Reserved for each later stage, so that one slow service does not use all the time. */
const reservedMs = 500;

export interface SupervisorOptions {
  /** Restart crashed services, with growing delays. */
  restartCrashed: boolean;
  line: ServiceWatcher['line'];
  crashed: ServiceWatcher['crashed'];
  /** Called with the running processes whenever they change, for a later launcher that must clean up. */
  processes?: (running: ProcessIdentity[]) => void;
}

/** Starts several services together and stops them in order. */
export class Supervisor {
  private readonly services = new Map<string, ServiceProcess>();

  constructor(private readonly options: SupervisorOptions) {}

  /**
   * Starts the services concurrently and resolves when all are ready.
   * @throws Error that names the first one that is not; the others keep running until `stop`
   */
  async start(specs: ServiceSpec[]): Promise<void> {
    const watcher: ServiceWatcher = {
      line: this.options.line,
      crashed: this.options.crashed,
      changed: () => this.options.processes?.(this.running()),
    };
    const started = specs.map((spec) => {
      const service = new ServiceProcess(spec, watcher, this.options.restartCrashed);
      this.services.set(spec.name, service);
      return service.start();
    });
    await Promise.all(started);
  }

  /** @throws Error when there is no such service */
  service(name: string): ServiceProcess {
    const found = this.services.get(name);
    if (!found) throw new Error(`No service ${name}; there are ${[...this.services.keys()].join(', ')}`);
    return found;
  }

  /** Stops and starts one service; resolves when it is ready again. */
  async restart(name: string): Promise<void> {
    const service = this.service(name);
    await service.stop(5_000);
    await service.start();
  }

  /** Stops all in order within `withinMs`; processes still running then get SIGKILL. */
  async stop(withinMs: number): Promise<void> {
    const end = Date.now() + withinMs;
    const stages = [...stopStages.map((kinds) => this.ofKinds(kinds)), [...this.services.values()]];
    for (const [done, stage] of stages.entries()) {
      const graceMs = Math.max(reservedMs, end - Date.now() - reservedMs * (stages.length - done - 1));
      await Promise.all(stage.map((service) => service.stop(graceMs)));
    }
  }

  /** Kills all processes at once. */
  async kill(): Promise<void> {
    await Promise.all([...this.services.values()].map((service) => service.kill('SIGKILL')));
  }

  private ofKinds(kinds: string[]): ServiceProcess[] {
    return [...this.services.values()].filter(({ spec }) => kinds.includes(spec.name.replace(/-\d+$/, '')));
  }

  private running(): ProcessIdentity[] {
    return [...this.services.values()].flatMap((service) => service.identity ?? []);
  }
}
