import { EventSubscriber } from '@spooled/transport';

/** Without Redis nothing is published, so streams open and carry only the system's health. */
export class NoEvents extends EventSubscriber {
  subscribe(): () => void {
    return () => undefined;
  }

  ready(): Promise<void> {
    return Promise.resolve();
  }

  isSubscribed(): boolean {
    return false;
  }

  since(): Promise<[]> {
    return Promise.resolve([]);
  }
}
