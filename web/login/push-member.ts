/** The key in local storage of the id of the member who gets push messages in this browser. */
export const pushKey = 'push'

/** The key of the member whose pushes ended with their login. They begin again with the next login of that member. */
export const pausedPushKey = 'paused-push'

/** The key of the end of the login with which the browser was subscribed. */
export const pushLoginKey = 'push-login'

/** The value of `pushKey` after the end of the member's login, until the browser is unsubscribed. */
export const pushEnded = '0'
