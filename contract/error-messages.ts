import { msg } from './message.ts'

/** Error messages that several features share. */
export const errorMessages = {
  notAuthenticated: msg('Not authenticated'),
  notFound: msg('Not found'),
  controlCharacters: msg('Please remove characters that can not be shown'),
  directionControls: msg('Please remove characters that change the direction of text'),
  unexpected: msg('Something went wrong on our side. Please try again later.'),
  unavailable: msg('The service is taking a short break. Please try again in a moment.'),
  storageFull: msg('Our disk is full at the moment. Please try again later.'),
  photoStorageFull: msg(
    'There is no room for photos at the moment. Please try again later, or go on without one.',
  ),
  tooManyAttempts: msg('Too many attempts. Please wait a while and try again.'),
  preconditionFailed: msg('This has changed in the meantime'),
  rangeNotSatisfiable: msg('This range does not exist'),
  unreadableBody: msg('The request could not be read'),
  bodyTooLarge: msg('The request is too large'),
  imageTooLarge: msg('The image is too large; please choose one below 10 MB and 40 megapixels'),
  photoAsText: msg('Please send the photo as a file of a multipart form'),
  imageTooSlow: msg('This photo takes too long to read; please choose a smaller one'),
  notAnImage: msg(
    'This file is not an image we can read; please choose a JPEG, PNG, WebP, AVIF or HEIC photo',
  ),
} as const
