/** Error messages that several features share. */
export const errorMessages = {
  notAuthenticated: 'Not authenticated',
  notFound: 'Not found',
  controlCharacters: 'Please remove characters that can not be shown',
  directionControls: 'Please remove characters that change the direction of text',
  unexpected: 'Something went wrong on our side. Please try again later.',
  unavailable: 'The service is taking a short break. Please try again in a moment.',
  storageFull: 'Our disk is full at the moment. Please try again later.',
  photoStorageFull:
    'There is no room for photos at the moment. Please try again later, or go on without one.',
  tooManyAttempts: 'Too many attempts. Please wait a while and try again.',
  preconditionFailed: 'This has changed in the meantime',
  rangeNotSatisfiable: 'This range does not exist',
  unreadableBody: 'The request could not be read',
  bodyTooLarge: 'The request is too large',
  imageTooLarge: 'The image is too large; please choose one below 10 MB and 40 megapixels',
  imageTooSlow: 'This photo takes too long to read; please choose a smaller one',
  notAnImage: 'This file is not an image we can read; please choose a JPEG, PNG, WebP, AVIF or HEIC photo',
} as const
