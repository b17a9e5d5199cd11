/** Returns the URL of the metrics of a world whose settings enable them. */
export function metricsUrlOf({ logged }: { readonly logged: readonly string[] }): string {
  const [, url = ''] = /"url":"(http:\/\/127\.0\.0\.1:\d+\/metrics)"/.exec(logged.join('')) ?? []
  return url
}

export async function metricsOf(world: { readonly logged: readonly string[] }): Promise<string> {
  return (await fetch(metricsUrlOf(world))).text()
}
