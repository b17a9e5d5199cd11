import { createBrowserLogin } from '#web/features/auth/browser-login.ts'

const login = createBrowserLogin()

// The front page shows one of two faces. Its styles choose by this mark, which is set before the first paint.
function face() {
  document.documentElement.toggleAttribute('data-member', login.get() !== null)
}

face()
login.subscribe(face)

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('[data-logout]') : null
  if (button === null) return
  logOut()
  // The button goes; the keyboard goes on where one logs in.
  button.parentElement?.parentElement?.querySelector<HTMLElement>('[href="/login"]')?.focus()
})

function logOut() {
  const token = login.get()?.token
  login.remove()
  if (token === undefined) return
  // The member is gone from this browser whatever the server answers; there the session ends by itself in time.
  void fetch('/api/auth/logout', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    keepalive: true,
  }).catch(() => undefined)
}
