/**
 * Leads to an address of the console by loading it. What this page holds of its session is gone then: what the user has read, messages,
 * and acts that can be undone.
 */
export function loadFresh(address: string): void {
  // Going back may show the page that the browser has kept, also to another person.
  document.documentElement.hidden = true;
  window.addEventListener('pageshow', ({ persisted }) => persisted && window.location.reload());
  window.location.replace(address);
}
