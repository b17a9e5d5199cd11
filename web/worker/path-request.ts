/** The message by which the service worker requests the path of a page. The page answers on the message's port. */
export const pathRequest = 'Which path?'
