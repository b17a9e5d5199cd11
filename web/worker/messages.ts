/** The messages of a page to the service worker. */
export const workerMessages = {
  /** Requests the active version. The worker answers with the path of its first script. */
  version: 'Which version?',
  /** Makes the worker fetch the stored pages again, when the login changes. */
  storePages: 'store pages',
  /** Begins the message with the language of the page, such as `language: es`. Its texts and stored pages stay without a network. */
  language: 'language: ',
  /** Also deletes the pictures. */
  logOut: 'log out',
} as const

/** The message by which the service worker requests the path of a page. The page answers on the message's port. */
export const pathRequest = 'Which path?'
