/** The message of the error when a script of a screen can not be loaded. */
export const chunkMissing = 'A part of this screen did not come. Please try again.'
