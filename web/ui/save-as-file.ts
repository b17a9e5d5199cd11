const revokeDelayMs = 40_000

/** Downloads a file. */
export function saveAsFile(name: string, content: Blob) {
  const url = URL.createObjectURL(content)
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  // The browser reads the file after the click, which takes long on a slow phone.
  setTimeout(() => URL.revokeObjectURL(url), revokeDelayMs)
}
