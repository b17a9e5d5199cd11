import type { CSSOptions } from 'vite'

/** Lightning CSS resolves the breakpoints (`breakpoints.css`), which are custom media queries. */
export const cssOptions: CSSOptions = {
  transformer: 'lightningcss',
  lightningcss: { drafts: { customMedia: true } },
}
