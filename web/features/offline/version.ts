/** The first script of this page, as a path: its name differs in every version of the app. */
export function pageVersion(): string {
  const entry = document.querySelector<HTMLScriptElement>('script[type="module"][src]')
  return entry === null ? '' : new URL(entry.src).pathname
}
