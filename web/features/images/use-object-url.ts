import { useEffect, useState } from 'react'

/** An image may still be loading from the previous URL. */
const revokeDelayMs = 10_000

/** Returns a URL at which this page can show the file. */
export function useObjectUrl(file: File | undefined): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (file === undefined) return undefined
    const objectUrl = URL.createObjectURL(file)
    setUrl(objectUrl)
    return () => {
      setTimeout(() => URL.revokeObjectURL(objectUrl), revokeDelayMs)
      setUrl(undefined)
    }
  }, [file])
  return url
}
