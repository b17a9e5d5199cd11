import { t } from '@lingui/core/macro'
import { errorMessages } from '#contract/error-messages.ts'
import { imageMessages } from '#contract/images.ts'
import { memberMessages } from '#contract/members.ts'
import { messageErrorMessages } from '#contract/messages.ts'
import { pausedText } from '#contract/pauses.ts'
import type { ApiError } from '#web/api/api-error.ts'
import { translateMessage } from '#web/i18n/translate-message.ts'
import { shortTime } from '#web/ui/time.tsx'

/** Why a message was refused. It is stored with the message, and becomes a text in the language of the page when it is shown. */
export const refusals = [
  'not_possible',
  'not_found',
  'listing_not_visible',
  'contacts_used',
  'contacts_unconfirmed',
  'equal_texts',
  'paused',
  'photos_lost',
  'photos_not_usable',
  'photos_too_many',
  'photo_too_large',
  'photo_unreadable',
  'other',
] as const
export type Refusal = (typeof refusals)[number]

const byStatus: Readonly<Record<number, Refusal>> = {
  403: 'not_possible',
  404: 'not_found',
  409: 'photos_too_many',
  410: 'photos_lost',
  413: 'photo_too_large',
  415: 'photo_unreadable',
}

/** The codes of problems that are refusals of their own. */
const ownRefusals = [
  'photos_not_usable',
  'contacts_used',
  'contacts_unconfirmed',
  'equal_texts',
  'paused',
] as const

function isOwnRefusal(code: ApiError['code']): code is (typeof ownRefusals)[number] {
  return ownRefusals.some((own) => own === code)
}

/** Returns why the server refused a message or one of its photos. */
export function refusalOf({ status, code, errors }: ApiError): Refusal {
  if (isOwnRefusal(code)) return code
  if (errors.some(({ field }) => field === 'listing_id')) return 'listing_not_visible'
  return byStatus[status] ?? 'other'
}

/** Returns the text of a refusal, with the end of a pause; undefined if only that it was refused is known. */
export function refusalText(refusal: Refusal, pausedUntil?: string): string | undefined {
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
