import type { AnyRouter } from '@tanstack/react-router'

/**
 * Takes the scripts of the matched routes out of the page that the router renders, and returns their URLs, the entry first.
 * Call it in the browser too, before hydration.
 */
export function takeScripts(router: AnyRouter): readonly string[] {
  const manifest = router.ssr?.manifest
  if (manifest === undefined) return []
  const matches = router.stores.matches.get()
  const urls = matches.flatMap(({ routeId }) => manifest.routes[routeId]?.preloads ?? [])
  const routes = Object.entries(manifest.routes).map(([id, { preloads: _, scripts: __, ...rest }]) => [
    id,
    rest,
  ])
  router.ssr = { ...router.ssr, manifest: { ...manifest, routes: Object.fromEntries(routes) } }
  return urls.map((url) => (typeof url === 'string' ? url : url.href))
}
