/** Under this key local storage has the id of the member who gets push messages in this browser. */
export const pushKey = 'push'

/** Stands under that key from the end of the member's login until the browser is unsubscribed. */
export const pushEnded = '0'
