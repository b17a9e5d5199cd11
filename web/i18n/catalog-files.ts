import { existsSync, readFileSync } from 'node:fs'

/** Reads the URLs of the catalogs, such as `es/guest`, from the manifest of the client's build. Vite's development server has none. */
export function readCatalogFiles(): ReadonlyMap<string, string> {
  const manifest = new URL('../web/.vite/manifest.json', import.meta.url)
  if (!import.meta.env.PROD || !existsSync(manifest)) return new Map()
  const chunks: Record<string, { file: string }> = JSON.parse(readFileSync(manifest, 'utf8'))
  return new Map(
    Object.entries(chunks).flatMap(([source, { file }]) => {
      const name = /locales\/(.*)\.po$/.exec(source)?.[1]
      return name === undefined ? [] : [[name, `/${file}`]]
    }),
  )
}
