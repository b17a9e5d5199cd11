const readWithinMs = 40_000

/** Hands the browser a file that it saves as it saves any download. */
export function saveAsFile(name: string, content: Blob) {
  const url = URL.createObjectURL(content)
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  // The browser reads the file after the click; a slow phone takes its time.
  setTimeout(() => URL.revokeObjectURL(url), readWithinMs)
}
