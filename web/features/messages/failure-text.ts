import { t } from '@lingui/core/macro'
import { errorMessages } from '#contract/error-messages.ts'
import { imageMessages } from '#contract/images.ts'
import { memberMessages } from '#contract/members.ts'
import { messageErrorMessages } from '#contract/messages.ts'
import { pausedText } from '#contract/pauses.ts'
import { translateMessage } from '#web/i18n/translate-message.ts'
import { shortTime } from '#web/ui/time.tsx'
import type { Refusal } from './refusal.ts'
import type { Unsent } from './unsent-messages.ts'

/** Returns the text under a failed message. */
export function failureText({ refusal, paused_until }: Unsent): string {
  return (refusal && refusalText(refusal, paused_until)) || t`Not sent.`
}

/** Returns the text of a refusal, with the end of a pause; undefined if only that it was refused is known. */
function refusalText(refusal: Refusal, pausedUntil?: string): string | undefined {
  if (refusal === 'photos_lost') return t`The photos are no longer on this device. Please add them again.`
  const message = {
    not_possible: messageErrorMessages.notPossible,
    not_found: memberMessages.notFound,
    contacts_used: messageErrorMessages.tooManyFirstContacts,
    contacts_unconfirmed: messageErrorMessages.confirmToContact,
    equal_texts: messageErrorMessages.equalTexts,
    paused: pausedUntil && pausedText(shortTime(pausedUntil)),
    listing_not_visible: messageErrorMessages.listingNotVisible,
    photos_not_usable: imageMessages.notUsable,
    photos_too_many: imageMessages.quotaExceeded,
    photo_too_large: errorMessages.imageTooLarge,
    photo_unreadable: errorMessages.notAnImage,
    other: undefined,
  }[refusal]
  return message && translateMessage(message)
}
