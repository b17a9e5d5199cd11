import { readFileSync } from 'node:fs'

const built = new URL('./dist/web/', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', built), 'utf8'))

/** Returns the scripts that a first visit runs: the entry, the screens of these routes, and their static imports. */
function scriptsOfFirstVisit(...routes) {
  const screens = Object.keys(manifest).filter((name) => routes.some((route) => name.startsWith(`${route}?`)))
  if (screens.length < routes.length) throw new Error(`No script was built for one of ${routes.join(', ')}`)
  const files = new Set()
  const visit = (name) => {
    const { file, imports = [] } = manifest[name]
    if (files.has(file)) return
    files.add(file)
    imports.forEach(visit)
  }
  for (const name of ['client.tsx', ...screens]) visit(name)
  return [...files].map((file) => `dist/web/${file}`)
}

// `test/access/pages.test.ts` holds the limit of the landing page, whose one script is inline.
export default [
  {
    name: 'Scripts of a first visit to /login',
    path: scriptsOfFirstVisit('routes/login.tsx'),
    limit: '147 kB',
    brotli: true,
  },
  {
    name: 'Scripts of a first visit to the marketplace',
    path: scriptsOfFirstVisit('routes/_members.tsx', 'routes/_members/listings.index.tsx'),
    limit: '161 kB',
    brotli: true,
  },
]
