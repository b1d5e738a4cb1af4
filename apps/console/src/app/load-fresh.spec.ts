import { loadFresh } from './load-fresh';

/** As much of a browser's window as it takes. */
class TestWindow extends EventTarget {
  readonly went: string[] = [];
  readonly location = {
    replace: (address: string) => void this.went.push(address),
    reload: () => void this.went.push('reload'),
  };

  showAgain(persisted: boolean): void {
    this.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }));
  }
}

const { window: realWindow, document: realDocument } = globalThis;
afterEach(() => void Object.assign(globalThis, { window: realWindow, document: realDocument }));

it('hides the page that is left, and reloads it if the browser has kept it', () => {
  const page = new TestWindow();
  const document = { documentElement: { hidden: false } };
  Object.assign(globalThis, { window: page, document });
  loadFresh('/console/login');
  expect([page.went, document.documentElement.hidden]).toEqual([['/console/login'], true]);
  page.showAgain(false);
  expect(page.went).toEqual(['/console/login']);
  page.showAgain(true);
  expect(page.went).toEqual(['/console/login', 'reload']);
});
