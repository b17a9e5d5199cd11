/** Said of a script that did not come, by the app or, when that is the app itself, by the page. */
export const missingPart = 'A part of this screen did not come. Please try again.'
