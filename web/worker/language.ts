/** The cache of the language of the last page. The worker's own variables end with it. */
const languageCache = 'language'
const key = '/language'

/** Returns the language of the last page; undefined before the first one. */
export async function storedLanguage(): Promise<string | undefined> {
  const stored = await (await caches.open(languageCache)).match(key)
  return stored?.text()
}

export async function storeLanguage(language: string): Promise<void> {
  await (await caches.open(languageCache)).put(key, new Response(language))
}
