import { useSyncExternalStore } from 'react'

/** The key of local storage under which a browser keeps its member's choice. The scripts in the head of each page read it before the first paint. */
export const themeKey = 'theme'

/** The choices besides the system's: the values of `data-theme` in `web/styles/tokens.css`. */
export const themes = ['light', 'dark'] as const

export type Theme = (typeof themes)[number]

export function isTheme(value: unknown): value is Theme {
  return themes.some((theme) => theme === value)
}

/** Shows the page light or dark, or as the system says if undefined, and stores the choice for the next pages. */
export function chooseTheme(theme: Theme | undefined): void {
  document.documentElement.dataset.theme = theme ?? ''
  try {
    localStorage.setItem(themeKey, theme ?? '')
  } catch {
    // Local storage is blocked or full: the choice lasts as long as the page.
  }
}

/** Returns this browser's choice, or undefined if the system decides. Follows a choice in another tab. */
export function useTheme(): Theme | undefined {
  return useSyncExternalStore(subscribe, chosenTheme, () => undefined)
}

function chosenTheme(): Theme | undefined {
  const { theme } = document.documentElement.dataset
  return isTheme(theme) ? theme : undefined
}

function subscribe(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}
