import { useEffect, useRef, useState } from 'react'
import { errorMessages } from '#contract/error-messages.ts'
import { isImage } from './is-image.ts'
import { prepareImage } from './prepare-image.ts'

export type ChosenPhoto =
  | { step: 'none'; problem?: string }
  | { step: 'preparing'; file: File; done: number }
  | { step: 'ready'; file: File; warning?: string | undefined }

export interface PhotoChoice {
  photo: ChosenPhoto
  choose: (file: File) => void
  remove: () => void
  /** Waits for the preparation. Returns the file to send, or undefined if none is chosen. */
  waitForFile: () => Promise<File | undefined>
}

/** Holds the photo of a form, which is chosen, prepared, replaced or removed. */
export function usePhoto(): PhotoChoice {
  const [photo, setPhoto] = useState<ChosenPhoto>({ step: 'none' })
  const controller = useRef<AbortController>(undefined)
  const preparation = useRef<Promise<File | undefined>>(undefined)

  /** The preparation then continues after the member has left the screen. */
  const isFormSent = useRef(false)

  useEffect(
    () => () => {
      if (!isFormSent.current) controller.current?.abort()
    },
    [],
  )

  function choose(file: File) {
    remove()
    if (!isImage(file)) return setPhoto({ step: 'none', problem: errorMessages.notAnImage })
    controller.current = new AbortController()
    preparation.current = prepare(file, controller.current.signal)
  }

  async function prepare(file: File, signal: AbortSignal) {
    const show = (next: ChosenPhoto) => !signal.aborted && setPhoto(next)
    show({ step: 'preparing', file, done: 0 })
    try {
      const onProgress = (done: number) => show({ step: 'preparing', file, done })
      const prepared = await prepareImage(file, { signal, onProgress })
      show({ step: 'ready', ...prepared })
      return prepared.file
    } catch {
      // The signal aborted: another photo was chosen, or it was removed.
      return undefined
    }
  }

  function remove() {
    controller.current?.abort()
    preparation.current = undefined
    setPhoto({ step: 'none' })
  }

  async function waitForFile() {
    isFormSent.current = true
    return preparation.current
  }

  return { photo, choose, remove, waitForFile }
}
