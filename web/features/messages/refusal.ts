import type { ApiError } from '#web/api/api-error.ts'

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
