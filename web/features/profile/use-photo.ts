import { useEffect, useRef, useState } from 'react'
import { type PreparedImage, prepareImage } from '#web/features/images/prepare-image.ts'

interface Photo {
  /** An address that shows the photo as it was chosen. */
  readonly preview: string
  /** How much of the preparation is done, from 0 to 1. */
  readonly done: number
  /** Why it is sent as it was chosen. */
  readonly warning?: string | undefined
}

/** A photo that is being chosen: shown at once, prepared for sending meanwhile. */
export function usePhoto() {
  const [photo, setPhoto] = useState<Photo>()
  const work = useRef<{ readonly stop: AbortController; readonly prepared: Promise<PreparedImage> }>(
    undefined,
  )

  const preview = photo?.preview
  useEffect(() => {
    if (preview !== undefined) return () => URL.revokeObjectURL(preview)
  }, [preview])
  useEffect(() => () => work.current?.stop.abort(), [])

  function remove() {
    work.current?.stop.abort()
    work.current = undefined
    setPhoto(undefined)
  }

  async function choose(file: File) {
    remove()
    const stop = new AbortController()
    const onProgress = (done: number) => {
      if (!stop.signal.aborted) setPhoto((now) => now && { ...now, done })
    }
    setPhoto({ preview: URL.createObjectURL(file), done: 0 })
    work.current = { stop, prepared: prepareImage(file, { onProgress, signal: stop.signal }) }
    const { warning } = await work.current.prepared.catch(() => ({ warning: undefined }))
    if (!stop.signal.aborted) setPhoto((now) => now && { ...now, done: 1, warning })
  }

  /** The file to send, as soon as it is prepared; nothing when no photo is chosen. */
  async function prepared(): Promise<File | undefined> {
    return (await work.current?.prepared.catch(() => undefined))?.file
  }

  return { photo, choose, remove, prepared }
}
