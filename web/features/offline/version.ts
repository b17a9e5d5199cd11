/** Returns the path of the page's first script. Its name has a hash that differs in every version. */
export function pageVersion(): string {
  const entry = document.querySelector<HTMLScriptElement>('script[type="module"][src]')
  return entry === null ? '' : new URL(entry.src).pathname
}
