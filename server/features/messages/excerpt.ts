import type { Translator } from '#server/platform/i18n/translator.ts'

/** A message as mails and pushes quote it. */
interface Quoted {
  readonly content: string
  readonly photo_count: number
}

/** Returns the text of a message, or its first `maxLength` characters with an ellipsis. Without a text, it names the photos. */
export function excerptOf({ content, photo_count }: Quoted, maxLength: number, t: Translator): string {
  if (content === '') return namePhotos(photo_count, t)
  const characters = [...content]
  return characters.length > maxLength ? `${characters.slice(0, maxLength).join('')}…` : content
}

/** Returns the text that stands for a message with photos only. */
export function namePhotos(count: number, t: Translator): string {
  return t('{count, plural, one {A photo} other {# photos}}', { count })
}
