/** The key in local storage of the id of the member who gets push messages in this browser. */
export const pushKey = 'push'

/** The value of that key after the end of the member's login, until the browser is unsubscribed. */
export const pushEnded = '0'
