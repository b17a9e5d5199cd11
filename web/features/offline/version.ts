/** Returns the path of the page's first script. Its name has a hash that differs in every version. */
export function pageVersion(): string {
  return document.documentElement.dataset.version ?? ''
}
