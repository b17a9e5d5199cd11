// Start writes the scripts of the matched routes into the page, where they delay the first paint. So the server takes them out for the
// bootstrap script, which loads them after it. The browser takes them out too, because it hydrates the same page.

import type { AnyRouter } from '@tanstack/react-router'

/** Takes the scripts of the matched routes out of the page that the router renders. Returns their URLs, the entry first. */
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
