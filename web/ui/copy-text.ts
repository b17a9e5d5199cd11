/** Copies the text to the clipboard, on a user's action. Throws if the browser refuses. */
export async function copyText(text: string): Promise<void> {
  // Browsers have no Clipboard API without HTTPS.
  if (navigator.clipboard) await navigator.clipboard.writeText(text)
  else if (!copyByEvent(text)) throw new Error('The text was not copied')
}

function copyByEvent(text: string): boolean {
  let isCopied = false
  const copy = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    isCopied = true
  }
  document.addEventListener('copy', copy)
  document.execCommand('copy')
  document.removeEventListener('copy', copy)
  return isCopied
}
