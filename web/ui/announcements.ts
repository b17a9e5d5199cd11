import { t } from '@lingui/core/macro'
import { useRouter } from '@tanstack/react-router'
import { type Atom, createAtom } from '@tanstack/react-store'
import { useEffect } from 'react'

/** The text that screen readers announce. The count changes with each announcement, also of the same text. */
export type Announcement = Atom<{ readonly text: string; readonly count: number }>

export function createAnnouncement(): Announcement {
  return createAtom({ text: '', count: 0 })
}

/** Announces a text to screen readers without moving the focus. */
export function announce(announcement: Announcement, text: string) {
  announcement.set(({ count }) => ({ text, count: count + 1 }))
}

/** Announces the text on mount and when it changes. */
export function useAnnounced(text: string | undefined) {
  const { announcement } = useRouter().options.context
  useEffect(() => {
    if (text !== undefined) announce(announcement, text)
  }, [announcement, text])
}

/** Announces the length of a list that has loaded: 'listings: 24 and more'. The noun is translated. `Empty` announces an empty one. */
export function useAnnouncedCount(count: number | undefined, noun: string | undefined, hasMore = false) {
  useAnnounced(count && noun !== undefined ? countText(count, noun, hasMore) : undefined)
}

function countText(count: number, noun: string, hasMore: boolean): string {
  return hasMore ? t`${noun}: ${count} and more` : t`${noun}: ${count}`
}
