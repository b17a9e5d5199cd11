import type { Plugin } from 'vite'
import { atBuild } from './at-build.ts'

const place = '<!-- navigation -->'
/** The server leaves out what stands between two of these where a page has no frame. */
const mark = '<!-- frame -->'

/**
 * Writes what stands around every screen of a member into the page, so that it is painted before the app is there.
 */
export function memberFrame(root: string): Plugin {
  return {
    name: 'rhubarb:member-frame',
    apply: 'build',
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        if (!html.includes(place)) return html
        const markup = await atBuild<typeof import('../features/shell/frame-markup.tsx')>(
          root,
          '/features/shell/frame-markup.tsx',
          ({ frameMarkup }) => frameMarkup(),
        )
        return html.replace(place, () => `${mark}<div class="frame">${markup}</div>${mark}`)
      },
    },
  }
}
