import { readFileSync } from 'node:fs'

const built = new URL('./dist/web/', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', built), 'utf8'))
/** The scripts that a page runs before it is painted. */
function firstScripts(page) {
  const markup = readFileSync(new URL(page, built), 'utf8')
  return [...markup.matchAll(/<script src="\/([^"]+)"/g)].map(([, file]) => `dist/web/${file}`)
}

/** The scripts that a first visit runs: the entry, the screens of these routes, and all that they import. */
function firstVisit(...routes) {
  const screens = Object.keys(manifest).filter((name) => routes.some((route) => name.startsWith(`${route}?`)))
  if (screens.length < routes.length) throw new Error(`No script was built for one of ${routes.join(', ')}`)
  const files = new Set()
  const visit = (name) => {
    const { file, imports = [] } = manifest[name]
    if (files.has(file)) return
    files.add(file)
    imports.forEach(visit)
  }
  for (const name of ['index.html', ...screens]) visit(name)
  return [...files].map((file) => `dist/web/${file}`)
}

export default [
  {
    name: 'Scripts of a first visit to /login',
    path: firstVisit('routes/login.tsx'),
    limit: '150 kB',
    brotli: true,
  },
  {
    name: 'Scripts of a first visit to the marketplace',
    path: [
      ...firstScripts('index.html'),
      ...firstVisit('routes/_members.tsx', 'routes/_members/listings.index.tsx'),
    ],
    limit: '190 kB',
    brotli: true,
  },
  {
    name: 'Scripts of a first visit to /',
    path: firstScripts('landing.html'),
    limit: '20 kB',
    brotli: true,
  },
]
